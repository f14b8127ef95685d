import type { IWebhookFunctions } from 'n8n-workflow';

import { LimitedMap } from '../limitedMap';
import { triggerNodeOf } from '../triggerNode';
import { addressesOf } from '../registration/addresses';
import type { WebhookKeys } from '../secrets';
import { onClose } from '../http';
import { forwardEvent, withQueryOf, type ForwardedEvent } from './forwardEvent';
import { isSignedWith, type ListenAnswer, type ListenRequest } from './listenRequest';
import { askSelf } from './selfCheck';

/**
 * Until when a test listens, by node. The static data carries it to every process, but only after the
 * answer.
 */
const listening = new LimitedMap<string, number>(1_000);

/** By node: the listen that has its event, or to which one is on its way. */
const served = new LimitedMap<string, number>(1_000);

/** Milliseconds; nobody is shared with for longer than n8n lets a test listen. */
const maxListenTime = 180_000;

/** Begins to share the events of the published workflow with a test, if its request is genuine. */
export async function startSharing(
	node: IWebhookFunctions,
	request: ListenRequest,
	keys: readonly WebhookKeys[],
	now: number,
): Promise<ListenAnswer> {
	const isInTime = request.until > now && request.until <= now + maxListenTime;
	if (!isInTime || !isSignedWith(request, keys)) return 'otherSecret';
	const { kind } = await askSelf(node, addressesOf(node).test);
	if (kind !== 'trigger') return 'unreachable';
	const { identity, staticData } = triggerNodeOf(node);
	listening.set(identity, request.until);
	staticData.testListensUntil = request.until;
	return 'shares';
}

/**
 * Copies an event to the test that listens, if one does, once the event is answered: what the
 * service gets and what production does must not depend on a test.
 */
export function shareEvent(node: IWebhookFunctions, event: ForwardedEvent, now: number): void {
	const { identity, staticData } = triggerNodeOf(node);
	const until = Math.max(Number(staticData.testListensUntil ?? 0), listening.get(identity) ?? 0);
	if (until === 0) return;
	if (until <= now || served.get(identity) === until) {
		if (staticData.testListensUntil !== undefined) delete staticData.testListensUntil;
		return;
	}
	served.set(identity, until);
	onClose(node, () => {
		void copyToTest(node, event).then((isDone) => {
			if (!isDone && served.get(identity) === until) served.delete(identity);
		});
	});
}

/** @returns whether the sharing is over: the test has its event, or listens no more */
async function copyToTest(node: IWebhookFunctions, event: ForwardedEvent): Promise<boolean> {
	const url = withQueryOf(addressesOf(node).test, event.originalUrl);
	const result = await forwardEvent(node, url, event);
	if (result === 'delivered' || result === 'noWebhook') return true;
	node.logger.warn(
		'Payment Page Trigger: a test is listening, but an event could not be copied to it. The published workflow received the event, and the test receives the next one.',
	);
	return false;
}
