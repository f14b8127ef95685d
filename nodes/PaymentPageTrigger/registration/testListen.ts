import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { nodeIdentity } from '../nodeIdentity';
import { giveBack } from './giveBack';

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
	const ending =
		underWay.get(key) ?? giveBack(node, production).finally(() => underWay.delete(key));
	underWay.set(key, ending);
	await ending;
}

/** Waits for the end of an earlier test listen of the node, which would undo what comes before it. */
export async function earlierTestListenEnded(node: IHookFunctions): Promise<void> {
	await underWay.get(nodeIdentity(node));
}
