import { createHmac } from 'crypto';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { parseJson } from '../../shared/exactJson';
import { rawResponse, toServiceResponse } from '../../shared/service/request';
import { isRecord } from '../../shared/values';
import { addressesOf } from '../addresses';
import { currentCredential, type TriggerKeys } from '../keys';
import { warnOfEvent } from '../log';
import type { Trigger } from '../memory';
import { onClose, type ReceivedRequest, type Reply } from '../n8n';
import { recordOf, updateRecord } from '../registration/record';
import { equals } from '../verification/signature';

/**
 * A test ("Listen for test event") wants an event, but the service knows one address per merchant,
 * and that is the published workflow's. So the test asks the published workflow, at n8n's own address:
 *
 * ```
 *   test's create() ── question ──> published webhook() ── notes until when to share
 *
 *   service ── event ──> published webhook() ── verifies, answers, starts its workflow
 *                              └── copy of its item ──> test's webhook() ── shows it
 * ```
 *
 * Question and copy carry a MAC over their time, the trigger and their content. One copy that
 * arrives, n8n's 404 at the test's address, or the time ends the sharing.
 */

/** The header that marks a question or a copy: its time and its MAC. */
export const testHeader = 'x-payment-pages-test';

type Purpose = 'question' | 'copy';

function mac(
	node: IHookFunctions | IWebhookFunctions,
	{ testKey }: TriggerKeys,
	purpose: Purpose,
	time: string,
	content: string | Buffer,
): string {
	const { webhookId = '' } = node.getNode();
	const head = `${purpose} ${time} ${webhookId}\n`;
	return createHmac('sha256', testKey).update(head).update(content).digest('hex');
}

/** Milliseconds by which clocks of n8n's processes may differ, with the time on the way. */
const tolerance = 120_000;

/** Whether a request was marked, for this purpose, by somebody with these keys. */
export function isMarked(
	node: IWebhookFunctions,
	{ headers, rawBody = Buffer.alloc(0) }: ReceivedRequest,
	keys: TriggerKeys,
	purpose: Purpose,
): boolean {
	const [time = '', given = ''] = String(headers[testHeader] ?? '').split(' ');
	const isRecent = Math.abs(Date.now() - Number(time)) <= tolerance;
	return isRecent && equals(given, mac(node, keys, purpose, time, rawBody));
}

/** Milliseconds for an answer at n8n's own addresses. */
const timeout = 5_000;

/** What one of n8n's own addresses said. */
interface OwnAnswer {
	/** What the trigger said to a question. */
	listen?: unknown;
	/** Whether it took a copy. */
	isReceived?: boolean;
	/** Whether n8n says that no workflow waits there. */
	isNoWebhook: boolean;
}

/**
 * Sends a marked request to one of n8n's own addresses, as the service would. n8n may be unable to
 * reach itself there: no way back through the router, a private certificate, a rule against private
 * addresses. It never throws.
 */
export async function callSelf(
	node: IHookFunctions | IWebhookFunctions,
	url: string,
	keys: TriggerKeys,
	purpose: Purpose,
	content = '',
): Promise<OwnAnswer> {
	const time = String(Date.now());
	const mark = `${time} ${mac(node, keys, purpose, time, content)}`;
	try {
		const response: unknown = await node.helpers.httpRequest({
			method: 'POST',
			url,
			headers: { 'content-type': 'application/json', [testHeader]: mark },
			...(content === '' ? {} : { body: content }),
			...rawResponse,
			timeout,
		});
		const { statusCode, text } = toServiceResponse(response);
		const answer = parseJson(text);
		if (!isRecord(answer)) return { isNoWebhook: false };
		// Whatever has no `code` is none of n8n's own answers (n8n facts, "Triggers").
		return {
			listen: answer.listen,
			isReceived: statusCode === 200 && answer.received === true,
			isNoWebhook: statusCode === 404 && answer.code === 404,
		};
	} catch {
		return { isNoWebhook: false };
	}
}

/** Milliseconds; n8n lets no test listen for longer. */
const longestTest = 600_000;

/** A test that begins asks for a copy of the next event. */
export async function answerQuestion(
	node: IWebhookFunctions,
	trigger: Trigger,
	request: ReceivedRequest,
): Promise<Reply> {
	try {
		const { keys } = await currentCredential(node, trigger);
		if (isMarked(node, request, keys, 'question')) {
			updateRecord(trigger, { testListensUntil: Date.now() + longestTest });
			return { status: 200, body: { listen: 'shares' } };
		}
		return { status: 401, body: { listen: 'otherSecret' } };
	} catch {
		return { status: 503, body: { listen: 'unreadable' } };
	}
}

/**
 * Copies an item to the test that listens, if one does, once n8n has stored the execution: what the
 * service gets and what the workflow does must not depend on a test.
 */
export function shareWithTest(node: IWebhookFunctions, trigger: Trigger, item: IDataObject): void {
	const { memory } = trigger;
	const { testListensUntil: until = 0 } = recordOf(trigger);
	const { test } = addressesOf(node);
	if (until <= Date.now() || memory.servedTest === until || test === '') return;
	memory.servedTest = until;
	const again = () => {
		if (memory.servedTest === until) delete memory.servedTest;
	};
	onClose(node, (status) => {
		if (status >= 300) again();
		else void copyToTest(node, trigger, test, item).then((isDone) => isDone || again());
	});
}

/** @returns whether the sharing is over: the test has its event, or listens no more */
async function copyToTest(
	node: IWebhookFunctions,
	trigger: Trigger,
	test: string,
	item: IDataObject,
): Promise<boolean> {
	try {
		const { keys } = await currentCredential(node, trigger);
		const answer = await callSelf(node, test, keys, 'copy', JSON.stringify(item));
		if (answer.isNoWebhook || answer.isReceived === true) return true;
	} catch {
		// Said below: the credential cannot be read at the moment.
	}
	warnOfEvent(
		node,
		trigger,
		'copy',
		'a test is listening, but an event could not be copied to it. The workflow received it. Look at its executions, and copy one to the editor.',
	);
	return false;
}
