import { sleep, type IHttpRequestOptions } from 'n8n-workflow';

import { failureOf, isInDoubt, ServiceError, withDoubt } from '../../shared/errors';
import { sendRequest, toServiceResponse, type ServiceRequest } from '../../shared/service/request';
import type { Envelope } from '../../shared/service/response';
import type { RequestContext } from './runItem';

const maxRetries = 3;

/** Milliseconds before the first retry; it doubles with each. */
const firstWait = 500;

/** The wait before a retry, in milliseconds: growing, and spread so that items do not come in step. */
export function retryWait(retry: number, retryAfter: number | undefined, random: number): number {
	if (retryAfter !== undefined) return retryAfter + random * 250;
	return firstWait * 2 ** retry * (0.5 + random);
}

/** For n8n, an execution is canceled, not failed, only if the message has that word (fact 11). */
export function canceledError(mayBeDone: boolean): ServiceError {
	const what = mayBeDone
		? 'it was known whether the request was processed'
		: 'the row was finished';
	const error = new ServiceError(
		`The execution was canceled before ${what}`,
		'Run the workflow again.',
		{ kind: 'canceled' },
	);
	return mayBeDone ? withDoubt(error) : error;
}

/** Milliseconds after which a stop is noticed: the only wait that nodes have cannot be cut short. */
const step = 200;

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

interface SendOptions {
	isRepeatable: boolean; // whether doing it twice is the same as doing it once
}

function mayRetry({ kind }: ServiceError['details'], isReachable: boolean, options: SendOptions) {
	if (kind === 'notSent') return isReachable;
	return kind === 'busy' || (kind === 'answerLost' && options.isRepeatable);
}

function withNodeAdvice(error: ServiceError): ServiceError {
	if (error.details.statusCode !== 429) return error;
	return error.withAdvice(
		"Lower 'Max Parallel Requests' in the node's options, or set 'Batching' in its request options, and run it again.",
	);
}

/**
 * Sends a request, and sends it again when that does no harm: when the service surely did nothing, or
 * when doing it twice is the same as doing it once.
 *
 * @throws ServiceError
 */
export async function sendWithRetries(
	context: RequestContext,
	request: ServiceRequest,
	options: SendOptions,
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
			if (retry === maxRetries || !mayRetry(failure.details, !run.unreachable, options)) {
				if (kind === 'notSent') run.unreachable = true;
				// What may not be repeated is asked about instead.
				throw changes && wasLost && options.isRepeatable ? withDoubt(failure) : failure;
			}
			const wait = retryWait(retry, retryAfter, Math.random());
			// All items wait, not only this one: the service asked the merchant, not the item.
			if (retryAfter !== undefined) run.busyUntil = Math.max(run.busyUntil, Date.now() + wait);
			context.countRetry();
			const about = { reason: failure.message, retry: retry + 1 };
			node.logger.info('Payment Page: retrying a request', about);
			if (!(await waitUnlessCanceled(wait, signal))) break;
		}
	}
	throw canceledError(changes && wasLost);
}
