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

/**
 * Hands an event that arrived at the test address on to the production address, as it came: it
 * belongs to the published workflow, too. A workflow that is not published answers 404, and that is
 * no fault.
 */
export async function forwardToProduction(
	node: IWebhookFunctions,
	event: { headers: Headers; rawBody: Buffer; originalUrl: string },
): Promise<void> {
	const [, query] = event.originalUrl.split(/\?(.*)/s);
	const production = node.getNodeWebhookUrl('default') ?? '';
	const url = query === undefined ? production : `${production}?${query}`;
	const headers = Object.fromEntries(
		Object.entries(event.headers).filter(([name]) => !connectionHeaders.has(name)),
	);
	for (let attempt = 1; attempt <= tries; attempt++) {
		try {
			await node.helpers.httpRequest({
				method: 'POST',
				url,
				headers,
				body: event.rawBody,
				json: false,
				encoding: 'text',
				ignoreHttpStatusErrors: { ignore: true, except: [500, 502, 503, 504] },
				timeout,
			});
			return;
		} catch {
			if (attempt < tries) await sleep(firstWait * attempt);
		}
	}
	node.logger.error(
		'Payment Page Trigger: an event arrived while a test was listening, and could not be handed on to the published workflow. The output of the test shows it; send it again from the service if the workflow needs it.',
	);
}
