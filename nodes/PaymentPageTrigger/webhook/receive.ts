import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { VerificationSettings } from '../verification/settings';
import { verify } from '../verification/verify';
import type { ReceivedEvent } from '../verification/verify';
import { answer, isMultipartForm, onFailure, readRawBody, requestOf, start } from './http';
import type { WebhookRequest } from './http';
import { readBody } from './readBody';
import { forget, isRepeated } from './repeatedDeliveries';
import { credentialSecrets, registeredSecrets } from './secrets';
import { readSettings } from './settings';
import { shareWithProduction } from './testEvent';
import { toOutput } from './toOutput';
import { urlTokenOf } from './urlToken';

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

function reject(node: IWebhookFunctions): IWebhookResponseData {
	node.logger.debug('Payment Page Trigger: rejected an event without a valid proof');
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
	if (isProbe(request, rawBody)) return answer(node, 200, { ready: true });
	if (rawBody === undefined && !isMultipartForm(request)) return reject(node);

	const { headers, params, query, originalUrl } = request;
	const event = { headers, token: urlTokenOf(query), rawBody };
	const { verification, acceptsUnverified, ignoresRepeated } = readSettings(node);
	const { secrets, proof } = await findProof(node, event, verification, now);
	const isTest = node.getMode() === 'manual';
	if (isTest) {
		await shareWithProduction(node, { headers, rawBody, originalUrl });
	} else if (proof === undefined && !acceptsUnverified) {
		return reject(node);
	} else if (rawBody && ignoresRepeated && isRepeated(node, rawBody, now)) {
		return answer(node, 200, { received: true, repeated: true });
	}

	// n8n may fail to store the execution and answer 500; then the service sends the event again.
	if (rawBody && ignoresRepeated) onFailure(node, () => forget(node, rawBody));
	const body = readBody(rawBody, node.getBodyData());
	return start(node, toOutput({ headers, params, query, body }, secrets, proof, now));
}
