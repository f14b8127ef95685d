import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions } from 'n8n-workflow';

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
const timeout = 5_000;

/** An event as it came to the test address. */
interface TestEvent {
	headers: Headers;
	/** undefined for a multipart form, which n8n does not let through. */
	rawBody: Buffer | undefined;
	originalUrl: string;
}

async function send(
	node: IWebhookFunctions,
	{ headers, originalUrl }: TestEvent,
	body: Buffer,
): Promise<boolean> {
	const [, query] = originalUrl.split(/\?(.*)/s);
	const production = node.getNodeWebhookUrl('default') ?? '';
	const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
	for (let attempt = 1; attempt <= tries; attempt++) {
		try {
			await node.helpers.httpRequest({
				method: 'POST',
				url: query === undefined ? production : `${production}?${query}`,
				headers: Object.fromEntries(kept),
				body,
				json: false,
				encoding: 'text',
				ignoreHttpStatusErrors: { ignore: true, except: [500, 502, 503, 504] },
				timeout,
			});
			return true;
		} catch {
			if (attempt < tries) await sleep(firstWait * attempt);
		}
	}
	return false;
}

/**
 * Hands an event that arrived at the test address on to the production address, as it came: it
 * belongs to the published workflow, too. A workflow that is not published answers 404, and that is
 * no fault.
 */
export async function forwardToProduction(
	node: IWebhookFunctions,
	event: TestEvent,
): Promise<void> {
	if (event.rawBody !== undefined && (await send(node, event, event.rawBody))) return;
	node.logger.error(
		'Payment Page Trigger: an event arrived while a test was listening, and could not be handed on to the published workflow. The output of the test shows it; send it again from the service if the workflow needs it.',
	);
}
