import { randomUUID } from 'crypto';
import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { parseJson } from '../../shared/exactJson';
import { isRecord } from '../../shared/values';
import { addressesOf } from '../addresses';
import { currentCredential, readTriggerCredential } from '../keys';
import type { Trigger } from '../memory';
import { received, type ReceivedRequest, type Reply } from '../n8n';
import { readSettings } from '../settings';
import { callSelf, isMarked } from './share';

/** Why a test does not begin, in words for the person at the editor. */
const reasons = {
	notPublished: 'Publish this workflow first; the trigger alone is enough. Then test again.',
	otherSecret:
		'This test would see nothing: the published version uses another webhook secret. Select its credential, or unpublish and publish this workflow.',
	unreadable:
		"The published workflow cannot read its credential at the moment. Look into n8n's log, then test again.",
	noAnswer:
		"n8n cannot reach its own webhook URLs, so a test would see nothing. Look at the workflow's executions, and copy one to the editor.",
};

/**
 * Begins a test: it registers nothing, and asks the published workflow for a copy of its next event.
 *
 * @throws NodeOperationError when the test would never see one
 */
export async function startTest(hook: IHookFunctions): Promise<void> {
	readSettings(hook);
	const { keys } = await readTriggerCredential(hook);
	const { production, test } = addressesOf(hook);
	const [published, own] = await Promise.all([
		callSelf(hook, production, keys, 'question'),
		callSelf(hook, test, keys, 'question'),
	]);
	const fail = (reason: keyof typeof reasons) => {
		throw new NodeOperationError(hook.getNode(), reasons[reason]);
	};
	if (published.isNoWebhook) fail('notPublished');
	if (published.listen === 'otherSecret' || published.listen === 'unreadable')
		fail(published.listen);
	if (published.listen !== 'shares' || own.listen !== 'listens') fail('noAnswer');
	hook.getWorkflowStaticData('node').test = randomUUID();
}

const rejection: Reply = {
	status: 401,
	body: { message: 'A test only takes copies of the events of the published workflow.' },
};

/** Receives a request at the address of a test, which shows one copy and nothing else. */
export async function receiveInTest(
	node: IWebhookFunctions,
	trigger: Trigger,
	request: ReceivedRequest,
): Promise<Reply> {
	try {
		const { keys } = await currentCredential(node, trigger);
		if (isMarked(node, request, keys, 'question')) {
			return { status: 401, body: { listen: 'listens' } };
		}
		const output = parseJson(String(request.rawBody));
		if (!isMarked(node, request, keys, 'copy') || !isRecord(output)) return rejection;
		const { memory, staticData } = trigger;
		const { test: id } = staticData;
		if (memory.shownTest === id) return { status: 200, body: received };
		memory.shownTest = id;
		return { status: 200, body: received, output: output as IDataObject };
	} catch {
		return rejection;
	}
}
