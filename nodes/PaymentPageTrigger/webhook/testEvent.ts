import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions } from 'n8n-workflow';

import { endTestListen } from '../registration/testListen';
import { forwardToProduction } from './forward';
import type { TestEvent } from './forward';

/** Milliseconds for which events that are already on their way to the test address still arrive. */
const grace = 1_000;

/** Milliseconds; a person waits to see the event, whatever the service does. */
const longestWait = 5_000;

/**
 * Shares an event that arrived at the test address with the published workflow. It ends the test,
 * and n8n then takes that address away at once: so the production address is registered before.
 */
export async function shareWithProduction(
	node: IWebhookFunctions,
	event: TestEvent,
): Promise<void> {
	const production = node.getNodeWebhookUrl('default') ?? '';
	const givenBack = endTestListen(node, production).then(async () => await sleep(grace));
	await Promise.all([
		forwardToProduction(node, production, event),
		Promise.race([givenBack, sleep(longestWait)]),
	]);
}
