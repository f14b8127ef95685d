import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { onClose, readRequest, sendReply, type ReceivedRequest, type Reply } from '../http';
import { listenHeader, parseListenRequest } from '../testListen/listenRequest';
import { receiveTestEvent } from '../testListen/receiveTestEvent';
import { shareEvent, startSharing } from '../testListen/shareEvents';
import { triggerNodeOf } from '../triggerNode';
import { keyringOf } from './keyring';
import { proveEvent } from './proveEvent';
import { readBody } from './readBody';
import { forgetDeliveries, repetitionOf } from './repeatedDeliveries';
import { saveStaticData, snapshotOf } from './saveStaticData';
import { readEventSettings } from './eventSettings';
import { toOutput } from './toOutput';
import { unverifiedWarning } from './unverifiedWarning';

const received = { received: true };

const rejection: Reply = { status: 401, body: { message: 'The event could not be verified.' } };

const sendAgain: Reply = {
	status: 503,
	body: { message: 'A test is using this URL. Send the event again.' },
};

const undecided: Reply = {
	status: 503,
	body: { message: 'The same event is still being processed. Send it again.' },
};

/** Services and people look whether something answers at an address before they use it. */
function isProbe({ method, rawBody }: ReceivedRequest): boolean {
	return method !== 'POST' || rawBody?.length === 0;
}

/** A test that begins to listen asks with a probe whether it will be shown the events. */
async function replyToProbe(
	node: IWebhookFunctions,
	{ headers }: ReceivedRequest,
	now: number,
): Promise<Reply> {
	const request = parseListenRequest(headers[listenHeader]);
	if (request === undefined) return { status: 200, body: { ready: true } };
	const { registered, readCredential } = keyringOf(node, triggerNodeOf(node), request.token);
	const keys = [...registered, ...(await readCredential())];
	const listen = await startSharing(node, request, keys, now);
	return { status: 200, body: { ready: true, listen } };
}

async function replyToEvent(
	node: IWebhookFunctions,
	event: ReceivedRequest,
	now: number,
): Promise<Reply> {
	const trigger = triggerNodeOf(node);
	const settings = readEventSettings(node, trigger, now);
	const { verification } = settings;
	const before = snapshotOf(trigger);
	const keyring = keyringOf(node, trigger, event.token);
	const { keys, proof, isWeaker } = await proveEvent(trigger, keyring, event, verification, now);
	const start = (reply: Reply): Reply => {
		const body = readBody(event.rawBody, event.parsedBody);
		return { ...reply, output: toOutput({ ...event, body }, keys, proof, now) };
	};

	if (node.getMode() === 'manual') {
		const { isShown, isSettled } = await receiveTestEvent(node, event);
		const reply = isSettled ? { status: 200, body: received } : sendAgain;
		return isShown ? start(reply) : reply;
	}

	shareEvent(node, event, now);
	const isVerified = proof !== undefined;
	const isRejected = !isVerified && !settings.acceptsUnverified;
	if (isRejected || isWeaker) {
		const warning = unverifiedWarning(trigger, { isRejected, isWeaker }, now);
		if (warning !== undefined) node.logger.warn(warning);
	}
	if (isRejected) return rejection;
	const { rawBody } = event;
	if (!settings.ignoresRepeated) {
		forgetDeliveries(trigger);
	} else if (rawBody !== undefined) {
		const delivery = { rawBody, isVerified, now, onClose: onClose.bind(undefined, node) };
		const repetition = await repetitionOf(trigger, delivery);
		if (repetition === 'undecided') return undecided;
		if (repetition === 'repeated') return { status: 200, body: { ...received, repeated: true } };
	}
	saveStaticData(trigger, before);
	return start({ status: 200, body: received });
}

/**
 * Receives a request at the address of the trigger. An event of somebody who knows the secret starts
 * the workflow; a probe is answered and starts nothing; anything else is answered 401.
 */
export async function receive(node: IWebhookFunctions): Promise<IWebhookResponseData> {
	const now = Date.now();
	const request = await readRequest(node);
	if (isProbe(request)) return sendReply(node, await replyToProbe(node, request, now));
	if (!request.isReadable) return sendReply(node, rejection);
	return sendReply(node, await replyToEvent(node, request, now));
}
