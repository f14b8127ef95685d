import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { parseJson } from '../../shared/exactJson';
import { isRecord } from '../../shared/values';
import { rawResponse, toServiceResponse } from '../../shared/service/request';
import { networkError } from '../../shared/service/failures';

/** Milliseconds for n8n's answer at its own public address. */
const timeout = 5_000;

/** What n8n said at one of its own addresses, or why nothing that n8n says arrived. */
export type OwnAnswer =
	| { kind: 'trigger'; body: Record<string, unknown> }
	| { kind: 'noWebhook' }
	| { kind: 'unknown'; reason: string };

/** n8n's own words for an address at which no workflow waits, as distinct from a proxy's 404. */
export function isNoWebhook(statusCode: number, body: unknown): boolean {
	return (
		statusCode === 404 &&
		isRecord(body) &&
		typeof body.message === 'string' &&
		/^The requested webhook ".*" is not registered\.$/.test(body.message)
	);
}

/**
 * Calls one of n8n's own addresses as the service would, with an empty POST, which starts nothing.
 * n8n may be unable to reach itself there: no way back through the router, a private certificate, a
 * rule against private addresses.
 */
export async function askSelf(
	node: IHookFunctions | IWebhookFunctions,
	url: string,
	headers: Record<string, string> = {},
): Promise<OwnAnswer> {
	try {
		const response: unknown = await node.helpers.httpRequest({
			method: 'POST',
			url,
			headers,
			...rawResponse,
			timeout,
		});
		const { statusCode, text } = toServiceResponse(response);
		const body = parseJson(text);
		if (isNoWebhook(statusCode, body)) return { kind: 'noWebhook' };
		return statusCode === 200 && isRecord(body) && body.ready === true
			? { kind: 'trigger', body }
			: { kind: 'unknown', reason: `HTTP ${statusCode}` };
	} catch (error) {
		const isNotSent = networkError(error).details.kind === 'notSent';
		return { kind: 'unknown', reason: isNotSent ? 'no connection' : 'no answer' };
	}
}
