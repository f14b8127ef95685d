import { createHmac, randomUUID } from 'crypto';
import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { parseJson } from '../shared/exactJson';
import { rawResponse, toServiceResponse } from '../shared/service/request';
import { isRecord } from '../shared/values';
import { addressesOf } from './addresses';
import { currentCredential, readTriggerCredential } from './keys';
import type { NodeContext, Trigger, TriggerKeys } from './memory';
import { onClose, received, type ReceivedRequest, type Reply } from './n8n';
import { recordOf, updateRecord } from './registration/record';
import { readSettings } from './settings';
import { equals } from './verification/signature';

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
 * One copy that arrives, n8n's 404 at the test's address, or the time ends the sharing.
 */

/** The header that marks a question or a copy: its time, and a MAC over time, trigger and content. */
export const testHeader = 'x-payment-pages-test';

type Purpose = 'question' | 'copy';

function markOf(
	node: NodeContext,
	{ testKey }: TriggerKeys,
	head: `${Purpose} ${string}`,
	content: string | Buffer,
): string {
	const text = `${head} ${node.getNode().webhookId ?? ''}\n`;
	return createHmac('sha256', testKey).update(text).update(content).digest('hex');
}

/** Whether a request was marked, for this purpose, by somebody with these keys. */
function isMarked(
	node: IWebhookFunctions,
	{ headers, rawBody = Buffer.alloc(0) }: ReceivedRequest,
	keys: TriggerKeys,
	purpose: Purpose,
): boolean {
	const [time = '', given = ''] = String(headers[testHeader] ?? '').split(' ');
	// Milliseconds: clocks of n8n's processes may differ.
	const isRecent = Math.abs(Date.now() - Number(time)) <= 120_000;
	const expected = markOf(node, keys, `${purpose} ${time}`, rawBody);
	return isRecent && equals(given, expected);
}

/** What one of n8n's own addresses said, as JSON; nothing when n8n can't reach itself. */
type OwnAnswer = Readonly<{ status?: number; body: Record<string, unknown> }>;

/** n8n's own answer where no workflow waits; no other answer has this `code` (fact 34). */
const isNoWebhook = ({ status, body }: OwnAnswer) => status === 404 && body.code === 404;

/** Sends a marked request to one of n8n's own addresses, as the service would. It never throws. */
async function callSelf(
	node: NodeContext,
	url: string,
	keys: TriggerKeys,
	purpose: Purpose,
	content = '',
): Promise<OwnAnswer> {
	const time = Date.now();
	const mark = `${time} ${markOf(node, keys, `${purpose} ${time}`, content)}`;
	try {
		const response: unknown = await node.helpers.httpRequest({
			method: 'POST',
			url,
			headers: { 'content-type': 'application/json', [testHeader]: mark },
			...(content === '' ? {} : { body: content }),
			...rawResponse,
			timeout: 5_000,
		});
		const { statusCode: status, text } = toServiceResponse(response);
		const body = parseJson(text);
		return isRecord(body) ? { status, body } : { body: {} };
	} catch {
		return { body: {} };
	}
}

/** Why a test does not begin, in words for the person at the editor. */
const reasons = {
	notPublished: 'Publish this workflow first; the trigger alone is enough. Then test again.',
	otherSecret:
		'This test would see nothing: the published version uses another webhook secret. Select its credential, or unpublish and publish this workflow.',
	unreadable:
		"The published workflow cannot read its credential at the moment. Look into n8n's log, then test again.",
	noAnswer:
		"Look at the workflow's executions, and copy one to the editor: a test would see nothing, because n8n cannot reach its own webhook URLs.",
};

/** @throws NodeOperationError when the test would never see an event */
export async function startTest(hook: IHookFunctions): Promise<void> {
	readSettings(hook);
	const { keys } = await readTriggerCredential(hook);
	const { production, test } = addressesOf(hook);
	const [published, own] = await Promise.all([
		callSelf(hook, production, keys, 'question'),
		callSelf(hook, test, keys, 'question'),
	]);
	const { listen } = published.body;
	const isSure = listen === 'otherSecret' || listen === 'unreadable';
	const reason = isNoWebhook(published) ? 'notPublished' : isSure ? listen : 'noAnswer';
	if (listen !== 'shares' || own.body.listen !== 'listens') {
		throw new NodeOperationError(hook.getNode(), reasons[reason]);
	}
	hook.getWorkflowStaticData('node').test = randomUUID();
}

/** Answers what belongs to a test: at its own address, or as the published workflow. */
export async function replyToTest(
	node: IWebhookFunctions,
	trigger: Trigger,
	request: ReceivedRequest,
): Promise<Reply> {
	const credential = await currentCredential(node, trigger).catch(() => undefined);
	const isFor = (purpose: Purpose) =>
		credential !== undefined && isMarked(node, request, credential.keys, purpose);
	const isQuestion = isFor('question');
	if (node.getMode() === 'manual') {
		if (isQuestion) return { status: 401, body: { listen: 'listens' } };
		return isFor('copy') ? showCopy(trigger, request) : onlyCopies;
	}
	if (credential === undefined) return { status: 503, body: { listen: 'unreadable' } };
	if (!isQuestion) return { status: 401, body: { listen: 'otherSecret' } };
	// n8n lets no test listen for longer than ten minutes.
	updateRecord(trigger, { testListensUntil: Date.now() + 600_000 });
	return { status: 200, body: { listen: 'shares' } };
}

const onlyCopies = { status: 401, body: { message: 'A test takes nothing but copies.' } };

/** A test shows one event. */
function showCopy({ memory, staticData }: Trigger, { rawBody }: ReceivedRequest): Reply {
	const item = parseJson(String(rawBody));
	if (!isRecord(item)) return onlyCopies;
	const isShown = memory.shownTest === staticData.test;
	memory.shownTest = staticData.test;
	return { status: 200, body: received, ...(isShown ? {} : { output: item as IDataObject }) };
}

/**
 * Copies an item to the test that listens, if one does, once n8n has stored the execution: what the
 * service gets and what the workflow does must not depend on a test.
 */
export function shareWithTest(node: IWebhookFunctions, trigger: Trigger, item: IDataObject): void {
	const { memory } = trigger;
	const { testListensUntil: until = 0 } = recordOf(trigger);
	const { test } = addressesOf(node);
	if (until <= Date.now() || test === '') return;
	onClose(node, async (status) => {
		if (status >= 300 || memory.servedTest === until) return;
		const credential = await currentCredential(node, trigger).catch(() => undefined);
		const content = JSON.stringify(item);
		const answer = credential && (await callSelf(node, test, credential.keys, 'copy', content));
		if (answer && (answer.body.received === true || isNoWebhook(answer))) {
			memory.servedTest = until;
			return;
		}
		const text =
			'an event could not be copied to the test that listens. Copy its execution instead.';
		trigger.warn('copy', text);
	});
}
