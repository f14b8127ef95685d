import { sleep } from 'n8n-workflow';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { callService } from '../../shared/callService';
import { apiKeyCredential } from '../../shared/credential';
import { registrationRequest } from '../../shared/registration';
import type { Envelope } from '../../shared/service';
import { ServiceError } from '../../shared/serviceError';
import type { Outcome } from '../../shared/serviceError';
import type { TriggerCredential } from './triggerCredential';

/** @param url with its token, if it has one */
export async function registerUrl(
	node: IHookFunctions | IWebhookFunctions,
	credential: TriggerCredential,
	url: string,
	secret: string = credential.keys.secret,
): Promise<Outcome<Envelope>> {
	const request = registrationRequest(url, credential.merchantId, secret);
	return await callService(node, apiKeyCredential, credential, request);
}

const tries = 4;

/** Milliseconds before the second try; it doubles with each. */
const firstWait = 500;

/**
 * For a registration that nobody waits for and nobody would repeat: it is tried a few times, as
 * long as no later one was asked for.
 *
 * @returns undefined when a later one was
 */
export async function registerWithRetries(
	register: () => Promise<Outcome<Envelope>>,
	isLatest: () => boolean,
): Promise<Outcome<Envelope> | undefined> {
	for (let retry = 0; isLatest(); retry++) {
		const outcome = await register();
		const isFinal = !(outcome instanceof ServiceError) || outcome.details.kind === 'refused';
		if (isFinal || retry === tries - 1) return outcome;
		await sleep(firstWait * 2 ** retry);
	}
	return undefined;
}
