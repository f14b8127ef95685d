import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions } from 'n8n-workflow';

import { rawAnswer, toAnswer } from '../../shared/httpRequest';
import { networkError } from '../../shared/networkError';
import type { Headers } from '../verification/headers';
import { isOwnAnswer } from './answers';

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

/** Milliseconds; the service waits for its answer meanwhile. */
const timeout = 10_000;

/** Answers of something in front of n8n that could not hand the event on. */
const notDelivered = [502, 503];

/** An event as it came. */
export interface HandedOnEvent {
	headers: Headers;
	/** undefined for a multipart form, which n8n does not let through. */
	rawBody: Buffer | undefined;
	originalUrl: string;
}

/** `nobody`: no workflow waits at the address. */
type Result = 'delivered' | 'nobody' | 'notDelivered' | 'unknown';

async function sendOnce(
	node: IWebhookFunctions,
	address: string,
	{ headers, originalUrl }: HandedOnEvent,
	body: Buffer,
): Promise<Result> {
	const [, query] = originalUrl.split(/\?(.*)/s);
	const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
	try {
		const response: unknown = await node.helpers.httpRequest({
			method: 'POST',
			url: query === undefined ? address : `${address}?${query}`,
			headers: Object.fromEntries(kept),
			body,
			...rawAnswer,
			timeout,
		});
		const answer = toAnswer(response);
		if (answer.statusCode === 404) return 'nobody';
		if (notDelivered.includes(answer.statusCode)) return 'notDelivered';
		return isOwnAnswer(answer) ? 'delivered' : 'unknown';
	} catch (error) {
		return networkError(error).details.kind === 'notSent' ? 'notDelivered' : 'unknown';
	}
}

/**
 * Hands an event on to another address of n8n, as it came. It sends again only what surely did not
 * arrive: no workflow must start twice. It never throws.
 */
export async function handOn(
	node: IWebhookFunctions,
	address: string,
	event: HandedOnEvent,
): Promise<Result> {
	const { rawBody } = event;
	if (rawBody === undefined) return 'notDelivered';
	let result = await sendOnce(node, address, event, rawBody);
	for (let retry = 1; retry < tries && result === 'notDelivered'; retry++) {
		await sleep(firstWait * retry);
		result = await sendOnce(node, address, event, rawBody);
	}
	return result;
}
