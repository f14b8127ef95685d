import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { parseJson } from '../../shared/exactJson';
import { rawAnswer, toAnswer } from '../../shared/httpRequest';
import { isRecord } from '../../shared/service';
import type { Answer } from '../../shared/service';
import { withListenMark } from './addresses';

/** Milliseconds for n8n's answer at its own public address. */
const timeout = 5_000;

/** @returns undefined when nobody answers: n8n may be unable to reach its own public address */
async function probe(
	node: IHookFunctions | IWebhookFunctions,
	url: string,
	method: 'GET' | 'POST' = 'GET',
): Promise<Answer | undefined> {
	try {
		const response: unknown = await node.helpers.httpRequest({
			method,
			url,
			...rawAnswer,
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

/** What the trigger itself answered, if it did: a page of something before n8n is none of that. */
function ownAnswer(answer: Answer | undefined): Record<string, unknown> {
	const body = answer?.statusCode === 200 ? parseJson(answer.text) : undefined;
	return isRecord(body) ? body : {};
}

/** Whether the trigger waits for events at an address, and can be reached there. */
export async function isReady(node: IWebhookFunctions, url: string): Promise<boolean> {
	return ownAnswer(await probe(node, url, 'POST')).ready === true;
}

/** Whether the published workflow says that it will share marked events with a test of its node. */
export async function sharesWithTest(
	hook: IHookFunctions,
	production: string,
	secret: string,
): Promise<boolean> {
	return ownAnswer(await probe(hook, withListenMark(production, secret))).sharesWithTest === true;
}
