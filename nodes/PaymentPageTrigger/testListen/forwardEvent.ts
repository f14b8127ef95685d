import { sleep, type IHttpRequestOptions, type IWebhookFunctions } from 'n8n-workflow';

import { parseJson } from '../../shared/exactJson';
import { isRecord } from '../../shared/values';
import { rawResponse, toServiceResponse } from '../../shared/service/request';
import { networkError } from '../../shared/service/failures';
import type { ReceivedRequest } from '../http';
import type { Headers } from '../verification/headers';
import { multipartBody } from './multipartBody';
import { isNoWebhook } from './selfCheck';

/** Headers that belong to one connection, or that the next request computes anew. */
const connectionHeaders = new Set([
	'host',
	'connection',
	'keep-alive',
	'proxy-connection',
	'transfer-encoding',
	'te',
	'trailer',
	'upgrade',
	'expect',
	'content-length',
	// n8n has unpacked the body already.
	'content-encoding',
]);

const tries = 3;

/** Milliseconds before the second try. */
const firstWait = 500;

/** Milliseconds; the service may be waiting for its answer. */
const timeout = 10_000;

/** Answers of something in front of n8n that could not pass the event on. */
const notDelivered = [502, 503];

/** What of an event is forwarded. */
export type ForwardedEvent = Pick<
	ReceivedRequest,
	'headers' | 'rawBody' | 'parsedBody' | 'originalUrl'
>;

type Result = 'delivered' | 'noWebhook' | 'notDelivered' | 'unknown';

/** Another address with the query of an event. */
export function withQueryOf(address: string, originalUrl: string): string {
	const [, query] = originalUrl.split(/\?(.*)/s);
	return query === undefined ? address : `${address}?${query}`;
}

const form = 'application/x-www-form-urlencoded';

/** n8n's HTTP helper cannot send bytes under exactly this type; the blank is lost on the way. */
function contentTypeOf(headers: Headers): Headers {
	return headers['content-type'] === form ? { 'content-type': `${form} ` } : {};
}

function toRequest(url: string, event: ForwardedEvent): IHttpRequestOptions {
	const { headers, rawBody, parsedBody } = event;
	const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
	return {
		method: 'POST',
		url,
		headers: { ...Object.fromEntries(kept), ...contentTypeOf(headers) },
		body: rawBody ?? multipartBody(headers['content-type'], parsedBody),
		...rawResponse,
		timeout,
	};
}

function resultOf(statusCode: number, text: string): Result {
	if (notDelivered.includes(statusCode)) return 'notDelivered';
	const body = parseJson(text);
	if (isNoWebhook(statusCode, body)) return 'noWebhook';
	return statusCode === 200 && isRecord(body) && body.received === true ? 'delivered' : 'unknown';
}

/**
 * Forwards an event to another address of n8n, as it came. It sends again only what surely did not
 * arrive: no workflow must start twice. It never throws.
 */
export async function forwardEvent(
	node: IWebhookFunctions,
	url: string,
	event: ForwardedEvent,
): Promise<Result> {
	for (let retry = 1; ; retry++) {
		const result = await sendOnce(node, url, event);
		if (result !== 'notDelivered' || retry === tries) return result;
		await sleep(firstWait * retry);
	}
}

async function sendOnce(
	node: IWebhookFunctions,
	url: string,
	event: ForwardedEvent,
): Promise<Result> {
	try {
		const response: unknown = await node.helpers.httpRequest(toRequest(url, event));
		const { statusCode, text } = toServiceResponse(response);
		return resultOf(statusCode, text);
	} catch (error) {
		return networkError(error).details.kind === 'notSent' ? 'notDelivered' : 'unknown';
	}
}
