import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions } from 'n8n-workflow';

import { addressesOf } from '../registration/addresses';
import { endForgottenTestListen, endTestListen } from '../registration/testListen';
import { handOn } from './handOn';
import type { HandedOnEvent } from './handOn';

/**
 * Shows an event of the published workflow to the test that the registered address says is
 * listening. If none is, the test may have ended without giving the address back, as when n8n was
 * stopped: then that happens now.
 *
 * @param isProven whether the event comes from the service: nobody else may cause a registration
 */
export async function shareWithTest(
	node: IWebhookFunctions,
	event: HandedOnEvent,
	isProven: boolean,
): Promise<void> {
	const { production, test } = addressesOf(node);
	const result = await handOn(node, test, event);
	if (result === 'nobody') {
		if (isProven) await endForgottenTestListen(node, production);
	} else if (result !== 'delivered') {
		node.logger.warn(
			'Payment Page Trigger: an event arrived while a test was listening, and it is not certain that the test shows it. The published workflow got it.',
		);
	}
}

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
	event: HandedOnEvent,
): Promise<void> {
	const { production } = addressesOf(node);
	const givenBack = endTestListen(node, production).then(async () => await sleep(grace));
	const [result] = await Promise.all([
		handOn(node, production, event),
		Promise.race([givenBack, sleep(longestWait)]),
	]);
	// A workflow that is not published gets no events, and that is no fault.
	if (result === 'delivered' || result === 'nobody') return;
	node.logger.error(
		'Payment Page Trigger: an event arrived while a test was listening, and it is not certain that the published workflow got it, too. The output of the test shows it; send it again from the service if the workflow needs it.',
	);
}
