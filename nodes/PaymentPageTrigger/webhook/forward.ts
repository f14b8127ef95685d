import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions } from 'n8n-workflow';

import { toAnswer } from '../../shared/httpRequest';
import { networkError } from '../../shared/networkError';
import type { Headers } from '../verification/headers';

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

/** An event as it came to the test address. */
export interface TestEvent {
	headers: Headers;
	/** undefined for a multipart form, which n8n does not let through. */
	rawBody: Buffer | undefined;
	originalUrl: string;
}

type Result = 'delivered' | 'notDelivered' | 'unknown';

async function sendOnce(
	node: IWebhookFunctions,
	production: string,
	{ headers, originalUrl }: TestEvent,
	body: Buffer,
): Promise<Result> {
	const [, query] = originalUrl.split(/\?(.*)/s);
	const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
	try {
		const response: unknown = await node.helpers.httpRequest({
			method: 'POST',
			url: query === undefined ? production : `${production}?${query}`,
			headers: Object.fromEntries(kept),
			body,
			json: false,
			encoding: 'text',
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			timeout,
		});
		const { statusCode } = toAnswer(response);
		if (notDelivered.includes(statusCode)) return 'notDelivered';
		return statusCode >= 500 ? 'unknown' : 'delivered';
	} catch (error) {
		return networkError(error).details.kind === 'notSent' ? 'notDelivered' : 'unknown';
	}
}

/** Sends again only what surely did not arrive: the published workflow must not start twice. */
async function send(
	node: IWebhookFunctions,
	production: string,
	event: TestEvent,
	body: Buffer,
): Promise<Result> {
	let result = await sendOnce(node, production, event, body);
	for (let retry = 1; retry < tries && result === 'notDelivered'; retry++) {
		await sleep(firstWait * retry);
		result = await sendOnce(node, production, event, body);
	}
	return result;
}

/**
 * Hands an event that arrived at the test address on to the production address, as it came: it
 * belongs to the published workflow, too. A workflow that is not published answers 404, and that is
 * no fault.
 */
export async function forwardToProduction(
	node: IWebhookFunctions,
	production: string,
	event: TestEvent,
): Promise<void> {
	const { rawBody } = event;
	if (rawBody !== undefined && (await send(node, production, event, rawBody)) === 'delivered') {
		return;
	}
	node.logger.error(
		'Payment Page Trigger: an event arrived while a test was listening, and it is not certain that the published workflow got it, too. The output of the test shows it; send it again from the service if the workflow needs it.',
	);
}
