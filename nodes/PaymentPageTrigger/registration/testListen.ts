import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { nodeIdentity } from '../nodeIdentity';
import { giveBack } from './giveBack';

/** Nodes whose last test listen this process has seen to its end. */
const ended = new Set<string>();

/** Ends of test listens that this process is busy with, by node. */
const underWay = new Map<string, Promise<void>>();

/**
 * Ends a test listen by giving the registration back. Each of the events that arrive at the test
 * address asks for it, and so may a cancel at the same time: all of them share one.
 */
export async function endTestListen(
	node: IHookFunctions | IWebhookFunctions,
	production: string,
): Promise<void> {
	const key = nodeIdentity(node);
	const ending = underWay.get(key) ?? end(node, production).finally(() => underWay.delete(key));
	underWay.set(key, ending);
	await ending;
}

async function end(node: IHookFunctions | IWebhookFunctions, production: string): Promise<void> {
	if (await giveBack(node, production)) ended.add(nodeIdentity(node));
}

/**
 * Ends a test listen of which only the mark in the registered address is left. After one that has
 * ended, an event that comes late brings the mark, too, and by now the service may send to another
 * workflow: that is not undone.
 */
export async function endForgottenTestListen(
	node: IWebhookFunctions,
	production: string,
): Promise<void> {
	if (!ended.has(nodeIdentity(node))) await endTestListen(node, production);
}

/** Waits for the end of an earlier test listen of the node, which would undo what comes before it. */
export async function earlierTestListenEnded(node: IHookFunctions): Promise<void> {
	await underWay.get(nodeIdentity(node));
}

/** Notes that a test listens now, or, with a production registration, that none does any more. */
export function noteTestListen(node: IHookFunctions, isTest: boolean): void {
	if (isTest) ended.delete(nodeIdentity(node));
	else ended.add(nodeIdentity(node));
}
