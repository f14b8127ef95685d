import { sleep, type IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credential';
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

/**
 * n8n takes an execution for canceled, and not for failed, only if the message has that word.
 *
 * @param mayBeDone whether the service may have done what was asked
 */
export function canceledError(mayBeDone: boolean): ServiceError {
	const error = new ServiceError(
		mayBeDone
			? 'The execution was canceled before it was known whether the request was processed'
			: 'The execution was canceled before this row was finished',
		'Run the workflow again.',
		{ kind: 'canceled' },
	);
	return mayBeDone ? withDoubt(error) : error;
}

/** Milliseconds after which a stop is noticed: the only wait that nodes have cannot be cut short. */
const step = 200;

/** @returns false when the user stopped the execution meanwhile or before */
export async function waitUnlessCanceled(
	milliseconds: number,
	signal?: AbortSignal,
): Promise<boolean> {
	for (let left = milliseconds; left > 0 && signal?.aborted !== true; left -= step) {
		await sleep(Math.min(left, step));
	}
	return signal?.aborted !== true;
}

/**
 * A credential that is restricted to some domains reaches, in the node it belongs to, the host that it
 * names itself. n8n sees to that for a base URL in the description of a node.
 */
function ownHostAllowed(
	{ allowedDomains }: Pick<IHttpRequestOptions, 'allowedDomains'>,
	{ baseUrl }: ServiceCredential,
): Pick<IHttpRequestOptions, 'allowedDomains'> {
	const { hostname } = new URL(baseUrl);
	// A comma in it would read as two domains.
	if (allowedDomains === undefined || hostname.includes(',')) return {};
	return { allowedDomains: `${hostname},${allowedDomains}` };
}

/**
 * Sends one request as n8n's engine would. The engine's own `makeRoutingRequest` would read the
 * credential a second time, and drop the status of the response. What the user sets (timeout, proxy)
 * is in the request data.
 */
async function send(context: RequestContext, request: ServiceRequest): Promise<Envelope> {
	const { node, run, requestData, credential, credentialData } = context;
	const declared = requestData.options;
	run.hasSent = true;
	return await sendRequest(request, credential, async (made) => {
		const options: IHttpRequestOptions = {
			...declared,
			...made,
			...ownHostAllowed(declared, credential),
			// The credential and the request options of the node can each switch it on.
			skipSslCertificateValidation: [declared, made].some(
				(part) => part.skipSslCertificateValidation === true,
			),
		};
		// n8n adds an empty one to every request.
		if (request.body === undefined) delete options.body;
		const response: unknown = await node.helpers.httpRequestWithAuthentication.call(
			node,
			credential.name,
			options,
			// Of this, n8n looks at the data alone.
			{ credentialsDecrypted: { id: '', name: '', type: credential.name, data: credentialData } },
		);
		return toServiceResponse(response);
	});
}

function withNodeAdvice(error: ServiceError): ServiceError {
	if (error.details.statusCode !== 429) return error;
	return error.withAdvice(
		"Lower 'Max Parallel Requests' in the node's options, or set 'Batching' in its request options, and run it again.",
	);
}

interface SendOptions {
	/** Whether doing it twice is the same as doing it once. */
	isRepeatable: boolean;
}

function mayRetry(
	{ details: { kind } }: ServiceError,
	{ run }: RequestContext,
	{ isRepeatable }: SendOptions,
): boolean {
	if (kind === 'notSent') return !run.unreachable;
	return kind === 'busy' || (kind === 'answerLost' && isRepeatable);
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
			if (retry === maxRetries || !mayRetry(failure, context, options)) {
				if (kind === 'notSent') run.unreachable = true;
				// What may not be repeated is asked about instead.
				throw changes && wasLost && options.isRepeatable ? withDoubt(failure) : failure;
			}
			const wait = retryWait(retry, retryAfter, Math.random());
			// All items wait, not only this one: the service asked the merchant, not the item.
			if (retryAfter !== undefined) run.busyUntil = Math.max(run.busyUntil, Date.now() + wait);
			context.countRetry();
			node.logger.info('Payment Page: retrying a request', {
				reason: failure.message,
				retry: retry + 1,
			});
			if (!(await waitUnlessCanceled(wait, signal))) break;
		}
	}
	throw canceledError(changes && wasLost);
}
