import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import { LimitedMap } from '../limitedMap';
import { merchantOf } from '../registration/merchants';
import { readTriggerCredential } from '../registration/triggerCredential';
import { restoreUrl } from './borrowUrl';
import { forwardEvent, type ForwardedEvent } from './forwardEvent';
import { heirOf, readListenState, type ListenState } from './listenState';

/** Tests that have shown their event: several can arrive before n8n ends the test. */
const shown = new LimitedMap<string, true>(1_000);

/** Milliseconds for which events that are already on their way to the test address still arrive. */
const grace = 1_000;

/** Milliseconds; a person waits to see the event, whatever the service does. */
const maxWait = 5_000;

/** What becomes of an event that arrived at the test address. */
interface Received {
	isShown: boolean;
	/** Whether nobody needs it again: the published workflow has it, or there is none. */
	isSettled: boolean;
}

async function passOn(
	node: IWebhookFunctions,
	state: ListenState,
	event: ForwardedEvent,
): Promise<boolean> {
	const credential = await readTriggerCredential(node);
	const { holder } = merchantOf(credential);
	const ownerUrl = holder?.url ?? heirOf(state, credential.keys);
	// A workflow that is not published gets no events, and nothing is lost.
	if (ownerUrl === '') return true;
	// To a fallback URL the service itself sends it again, once that is registered.
	const isTrigger =
		holder === undefined ? state.borrowedFrom === 'unknown' : holder.node !== undefined;
	const result = isTrigger ? await forwardEvent(node, ownerUrl, event) : 'notDelivered';
	if (result === 'delivered' || result === 'noWebhook') return true;
	node.logger.warn(
		'Payment Page Trigger: an event arrived while a test was listening, and could not be passed on to the other receiver. It got a 503 response, so that the service sends it again.',
	);
	return false;
}

/**
 * Receives an event in a test, which shows the first and no other. A test that has borrowed the
 * address passes each on to whoever had it, and gives the address back: n8n takes the test's address
 * away as soon as the event is shown.
 */
export async function receiveTestEvent(
	node: IWebhookFunctions,
	event: ForwardedEvent,
): Promise<Received> {
	const state = readListenState(node.getWorkflowStaticData('node'));
	if (state === undefined) return { isShown: true, isSettled: true };
	const isShown = !shown.has(state.id);
	shown.set(state.id, true);
	if (state.borrowedFrom === undefined) return { isShown, isSettled: true };
	const restored = restoreUrl(node, state).then(async () => await sleep(grace));
	const [isSettled] = await Promise.all([
		passOn(node, state, event).catch(() => false),
		isShown ? Promise.race([restored, sleep(maxWait)]) : undefined,
	]);
	return { isShown, isSettled };
}
