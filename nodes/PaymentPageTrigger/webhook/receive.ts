import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readVerificationSettings } from '../verification/settings';
import type { VerificationSettings } from '../verification/settings';
import { verify } from '../verification/verify';
import type { ReceivedEvent } from '../verification/verify';
import { forwardToProduction } from './forward';
import { answer, isMultipartForm, readRawBody, requestOf, start } from './http';
import type { WebhookRequest } from './http';
import { readBody } from './readBody';
import { isRepeated } from './repeatedDeliveries';
import { credentialSecrets, registeredSecrets } from './secrets';
import { toOutput, tokenParameter } from './toOutput';

/** Services and people look whether something answers at an address before they use it. */
function isProbe({ method }: WebhookRequest, rawBody: Buffer | undefined): boolean {
	return method !== 'POST' || rawBody?.length === 0;
}

/** The settings were checked at activation; those that cannot be read now verify nothing. */
function readSettings(node: IWebhookFunctions): VerificationSettings | undefined {
	try {
		return readVerificationSettings((name) => node.getNodeParameter(name, ''));
	} catch (error) {
		node.logger.error('Payment Page Trigger: the verification settings are incomplete', { error });
		return undefined;
	}
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
	now: number,
): Promise<Finding> {
	const settings = readSettings(node);
	const registered = registeredSecrets(node);
	const proof = settings && verify(event, registered, settings, now);
	if (proof !== undefined) return { secrets: registered, proof };
	const fromCredential = await credentialSecrets(node);
	return {
		secrets: [...registered, ...fromCredential],
		proof: settings && verify(event, fromCredential, settings, now),
	};
}

function ignoresRepeatedDeliveries(node: IWebhookFunctions): boolean {
	const options = node.getNodeParameter('options', {}) as { ignoreRepeatedDeliveries?: boolean };
	return options.ignoreRepeatedDeliveries === true;
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
	const event = { headers, token: query[tokenParameter], rawBody };
	const { secrets, proof } = await findProof(node, event, now);
	const isTest = node.getMode() === 'manual';
	if (isTest) {
		await forwardToProduction(node, { headers, rawBody, originalUrl });
	} else if (proof === undefined && node.getNodeParameter('unverifiedEvents') !== 'accept') {
		return reject(node);
	} else if (rawBody && ignoresRepeatedDeliveries(node) && isRepeated(node, rawBody, now)) {
		return answer(node, 200, { received: true, repeated: true });
	}

	const body = readBody(rawBody, node.getBodyData());
	return start(node, toOutput({ headers, params, query, body }, secrets, proof, now));
}
