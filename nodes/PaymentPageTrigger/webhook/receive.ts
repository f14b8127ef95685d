import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { addressesOf } from '../registration/addresses';
import { isReady } from '../registration/probe';
import { isMarkedAsListening, listenParameter, urlTokenOf } from '../urlParameters';
import type { VerificationSettings } from '../verification/settings';
import { verify } from '../verification/verify';
import type { ReceivedEvent } from '../verification/verify';
import { rejection } from './answers';
import { answer, isMultipartForm, onFailure, readRawBody, requestOf, start } from './http';
import type { WebhookRequest } from './http';
import { readBody } from './readBody';
import { forget, isRepeated } from './repeatedDeliveries';
import { credentialSecrets, registeredSecrets } from './secrets';
import { readSettings } from './settings';
import { shareWithProduction, shareWithTest } from './sharing';
import { toOutput } from './toOutput';

/** Services and people look whether something answers at an address before they use it. */
function isProbe({ method }: WebhookRequest, rawBody: Buffer | undefined): boolean {
	return method !== 'POST' || rawBody?.length === 0;
}

interface Finding {
	/** All secrets that were looked for; none of them may be shown. */
	secrets: string[];
	proof: string | undefined;
}

/** The registered secret is at hand; the credential's is read only when that proves nothing. */
async function findProof(
	node: IWebhookFunctions,
	event: ReceivedEvent,
	settings: VerificationSettings | undefined,
	now: number,
): Promise<Finding> {
	const registered = registeredSecrets(node, event.token);
	const proof = settings && verify(event, registered, settings, now);
	if (proof !== undefined) return { secrets: registered, proof };
	const others = (await credentialSecrets(node)).filter((secret) => !registered.includes(secret));
	return {
		secrets: [...registered, ...others],
		proof: settings && verify(event, others, settings, now),
	};
}

/** A test that begins to listen asks whether it will be shown the events of this address. */
async function answerProbe(
	node: IWebhookFunctions,
	{ query }: WebhookRequest,
): Promise<IWebhookResponseData> {
	if (query[listenParameter] === undefined) return answer(node, 200, { ready: true });
	const registered = registeredSecrets(node, urlTokenOf(query));
	const secrets = [...registered, ...(await credentialSecrets(node))];
	const sharesWithTest =
		isMarkedAsListening(query, secrets) && (await isReady(node, addressesOf(node).test));
	return answer(node, 200, { ready: true, sharesWithTest });
}

function reject(node: IWebhookFunctions): IWebhookResponseData {
	node.logger.debug('Payment Page Trigger: rejected an event without a valid proof');
	return answer(node, 401, rejection);
}

/**
 * Receives a request at the address of the trigger. An event of somebody who knows the secret starts
 * the workflow; a probe is answered and starts nothing; anything else is answered 401.
 */
export async function receive(node: IWebhookFunctions): Promise<IWebhookResponseData> {
	const now = Date.now();
	const request = requestOf(node);
	const rawBody = await readRawBody(request);
	if (isProbe(request, rawBody)) return await answerProbe(node, request);
	if (rawBody === undefined && !isMultipartForm(request)) return reject(node);

	const { headers, params, query, originalUrl } = request;
	const event = { headers, token: urlTokenOf(query), rawBody };
	const { verification, acceptsUnverified, ignoresRepeated } = readSettings(node);
	const { secrets, proof } = await findProof(node, event, verification, now);
	const isTest = node.getMode() === 'manual';
	const received = { headers, rawBody, originalUrl };
	if (isTest) {
		// The test address is never registered with a mark, so production got the marked ones.
		if (query[listenParameter] === undefined) await shareWithProduction(node, received);
	} else {
		// Not awaited: what the service gets as an answer must not depend on a test.
		const isMarked = isMarkedAsListening(query, secrets);
		if (isMarked) void shareWithTest(node, received, proof !== undefined);
		if (proof === undefined && !acceptsUnverified) return reject(node);
		if (rawBody && ignoresRepeated && isRepeated(node, rawBody, now)) {
			return answer(node, 200, { received: true, repeated: true });
		}
	}

	// n8n may fail to store the execution and answer 500; then the service sends the event again.
	if (rawBody && ignoresRepeated) onFailure(node, () => forget(node, rawBody));
	const body = readBody(rawBody, node.getBodyData());
	return start(node, toOutput({ headers, params, query, body }, secrets, proof, now));
}
