import {
	sleep,
	type DeclarativeRestApiSettings,
	type ICredentialDataDecryptedObject,
	type IExecutePaginationFunctions,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credential';
import { failureOf, isInDoubt, ServiceError, withDoubt } from '../../shared/errors';
import { sendRequest, toServiceResponse, type ServiceRequest } from '../../shared/service/request';
import type { Envelope } from '../../shared/service/response';
import type { Run } from './run';

/** What the requests of one item have in common. */
export interface RequestContext {
	node: IExecutePaginationFunctions;
	item: number;
	run: Run;
	requestData: DeclarativeRestApiSettings.ResultOptions; // what n8n made of the description
	credential: ServiceCredential;
	credentialData: ICredentialDataDecryptedObject; // as n8n hands it over, and gets it back
	/** Whether the run goes on; to be asked after a wait for something else than the service. */
	mayStart(): boolean;
}

const maxRetries = 3;

/** The wait before a retry, in milliseconds: growing, and spread so that items do not come in step. */
export function retryWait(retry: number, retryAfter: number | undefined, random: number): number {
	return retryAfter === undefined ? 500 * 2 ** retry * (0.5 + random) : retryAfter + random * 250;
}

/** For n8n, an execution is canceled, not failed, only if the message has that word (fact 11). */
export function canceledError(mayBeDone: boolean): ServiceError {
	const message = 'The execution was canceled before the row was finished';
	const error = new ServiceError(message, 'Run the workflow again.', { kind: 'canceled' });
	return mayBeDone ? withDoubt(error) : error;
}

const step = 200; // milliseconds until a stop is noticed: n8n's `sleep` cannot be cut short

/** @returns false when the user stopped the execution meanwhile or before */
export async function waitUnlessCanceled(time: number, signal?: AbortSignal): Promise<boolean> {
	for (let left = time; left > 0 && signal?.aborted !== true; left -= step) {
		await sleep(Math.min(left, step));
	}
	return signal?.aborted !== true;
}

/**
 * Sends one request as n8n's engine would, with what the user sets (timeout, proxy). The engine's own
 * `makeRoutingRequest` would read the credential a second time, and drop the status of the response.
 */
async function send(context: RequestContext, request: ServiceRequest): Promise<Envelope> {
	const { node, run, requestData, credential, credentialData } = context;
	const declared = requestData.options;
	const { hostname } = new URL(credential.baseUrl);
	run.hasSent = true;
	return await sendRequest(request, credential, async (made) => {
		const options: IHttpRequestOptions = {
			...declared,
			...made,
			// A credential that is restricted to some domains reaches the host that it names itself, as
			// n8n sees to for a base URL in a description. A comma in it would read as two domains.
			...(declared.allowedDomains === undefined || hostname.includes(',')
				? {}
				: { allowedDomains: `${hostname},${declared.allowedDomains}` }),
			// The credential and the request options of the node can each switch it on.
			skipSslCertificateValidation: [declared, made].some(
				(part) => part.skipSslCertificateValidation === true,
			),
		};
		// n8n adds an empty one to every request.
		if (request.body === undefined) delete options.body;
		const { name: type } = credential;
		// Of this, n8n looks at the data alone.
		const credentialsDecrypted = { id: '', name: '', type, data: credentialData };
		return toServiceResponse(
			await node.helpers.httpRequestWithAuthentication.call(node, type, options, {
				credentialsDecrypted,
			}),
		);
	});
}

function withNodeAdvice(error: ServiceError): ServiceError {
	if (error.details.statusCode !== 429) return error;
	return error.withAdvice(
		"Lower 'Max Parallel Requests' in the node's options, or set 'Batching' in its request options, and run it again.",
	);
}

/**
 * Sends a request, and sends it again when that does no harm: when the service surely did nothing, or
 * when doing it twice is the same as doing it once (`isRepeatable`).
 *
 * @throws ServiceError
 */
export async function sendWithRetries(
	context: RequestContext,
	request: ServiceRequest,
	{ isRepeatable }: { isRepeatable: boolean },
): Promise<Envelope> {
	const { node, run } = context;
	const signal = node.getExecutionCancelSignal();
	// A question changes nothing, whether it was answered or not.
	const changes = request.method !== 'GET';
	let wasLost = false;
	for (let retry = 0; await waitUnlessCanceled(run.busyUntil - Date.now(), signal); retry++) {
		try {
			return await send(context, request);
		} catch (error) {
			const failure = withNodeAdvice(failureOf(error));
			const { kind, retryAfter } = failure.details;
			wasLost ||= kind === 'canceled' || isInDoubt(failure);
			if (kind === 'canceled') break;
			const wasNotDone = kind === 'busy' || (kind === 'notSent' && !run.unreachable);
			const mayRetry = wasNotDone || (kind === 'answerLost' && isRepeatable);
			if (retry === maxRetries || !mayRetry) {
				if (kind === 'notSent') run.unreachable = true;
				// What may not be repeated is asked about instead.
				throw changes && wasLost && isRepeatable ? withDoubt(failure) : failure;
			}
			const wait = retryWait(retry, retryAfter, Math.random());
			// All items wait, not only this one: the service asked the merchant, not the item.
			if (retryAfter !== undefined) run.busyUntil = Math.max(run.busyUntil, Date.now() + wait);
			const about = { reason: failure.message, retry: retry + 1 };
			node.logger.info('Payment Page: retrying a request', about);
			if (!(await waitUnlessCanceled(wait, signal))) break;
		}
	}
	throw canceledError(changes && wasLost);
}
