import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toAnswer } from '../../shared/httpRequest';
import { isRecord } from '../../shared/service';
import type { Answer } from '../../shared/service';
import { withListenMark } from './addresses';

/** Milliseconds for n8n's answer at its own public address. */
const timeout = 5_000;

/** @returns undefined when nobody answers: n8n may be unable to reach its own public address */
async function probe(
	node: IHookFunctions | IWebhookFunctions,
	url: string,
): Promise<Answer | undefined> {
	try {
		const response: unknown = await node.helpers.httpRequest({
			method: 'GET',
			url,
			json: false,
			encoding: 'text',
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			timeout,
		});
		return toAnswer(response);
	} catch {
		return undefined;
	}
}

/** Whether nobody waits for events at the production address; unknown is not nobody. */
export async function isUnpublished(
	node: IHookFunctions | IWebhookFunctions,
	production: string,
): Promise<boolean> {
	return (await probe(node, production))?.statusCode === 404;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined; // A page of whatever stands before n8n.
	}
}

/** Whether the published workflow says that it will share marked events with a test of its node. */
export async function sharesWithTest(
	hook: IHookFunctions,
	production: string,
	secret: string,
): Promise<boolean> {
	const answer = await probe(hook, withListenMark(production, secret));
	const body = answer?.statusCode === 200 ? parse(answer.text) : undefined;
	return isRecord(body) && body.sharesWithTest === true;
}
