import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { listenHeader, parseListenRequest } from '../testListen/listenRequest';
import { receiveTestEvent } from '../testListen/receiveTestEvent';
import { shareEvent, startSharing } from '../testListen/shareEvents';
import { findToken } from '../urlToken';
import {
	answer,
	answerAskAgain,
	isMultipartForm,
	onClose,
	readRawBody,
	requestOf,
	start,
	startAndAskAgain,
	type WebhookRequest,
} from './http';
import { credentialKeys, registeredKeys } from './keys';
import { proveEvent } from './proveEvent';
import { readBody } from './readBody';
import { forgetDeliveries, isRepeated } from './repeatedDeliveries';
import { saveStaticData, snapshotOf } from './saveStaticData';
import { readSettings } from './settings';
import { toOutput } from './toOutput';
import { logUnverified } from './unverifiedLog';

/** Services and people look whether something answers at an address before they use it. */
function isProbe({ method }: WebhookRequest, rawBody: Buffer | undefined): boolean {
	return method !== 'POST' || rawBody?.length === 0;
}

/** A test that begins to listen asks with a probe whether it will be shown the events. */
async function answerProbe(
	node: IWebhookFunctions,
	{ headers }: WebhookRequest,
	now: number,
): Promise<IWebhookResponseData> {
	const request = parseListenRequest(headers[listenHeader]);
	if (request === undefined) return answer(node, 200, { ready: true });
	const keys = [...registeredKeys(node, request.token), ...(await credentialKeys(node))];
	return answer(node, 200, { ready: true, listen: await startSharing(node, request, keys, now) });
}

function reject(node: IWebhookFunctions): IWebhookResponseData {
	return answer(node, 401, { message: 'The event could not be verified.' });
}

/**
 * Receives a request at the address of the trigger. An event of somebody who knows the secret starts
 * the workflow; a probe is answered and starts nothing; anything else is answered 401.
 */
export async function receive(node: IWebhookFunctions): Promise<IWebhookResponseData> {
	const now = Date.now();
	const request = requestOf(node);
	const rawBody = await readRawBody(request);
	if (isProbe(request, rawBody)) return await answerProbe(node, request, now);
	if (rawBody === undefined && !isMultipartForm(request)) return reject(node);

	const { headers, params, query, originalUrl } = request;
	const settings = readSettings(node);
	const staticData = snapshotOf(node);
	const event = { headers, token: findToken(originalUrl), rawBody };
	const { keys, proof, isWeaker } = await proveEvent(node, event, settings.verification, now);
	const parsedBody: unknown = node.getBodyData();
	const forwarded = { headers, rawBody, parsedBody, originalUrl };
	const startWith = (begin: typeof start) => {
		const body = readBody(rawBody, parsedBody);
		return begin(
			node,
			toOutput({ headers, params, query, token: event.token, body }, keys, proof, now),
		);
	};

	if (node.getMode() === 'manual') {
		const { isShown, isSettled } = await receiveTestEvent(node, forwarded);
		if (isShown) return startWith(isSettled ? start : startAndAskAgain);
		return isSettled ? answer(node, 200, { received: true }) : answerAskAgain(node);
	}

	shareEvent(node, forwarded, now);
	const isVerified = proof !== undefined;
	const isRejected = !isVerified && !settings.acceptsUnverified;
	if (isRejected || isWeaker) {
		logUnverified(node, { isRejected, isWeaker }, now);
	}
	if (isRejected) return reject(node);
	if (!settings.ignoresRepeated) {
		forgetDeliveries(node);
	} else if (rawBody !== undefined) {
		const delivery = { rawBody, isVerified, now, onClose: onClose.bind(undefined, node) };
		if (await isRepeated(node, delivery)) {
			return answer(node, 200, { received: true, repeated: true });
		}
	}
	saveStaticData(node, staticData);
	return startWith(start);
}
