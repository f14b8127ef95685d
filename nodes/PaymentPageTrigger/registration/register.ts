import { sleep } from 'n8n-workflow';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { callService } from '../../shared/callService';
import { apiKeyCredential } from '../../shared/credential';
import type { ServiceCredential } from '../../shared/credential';
import { registrationRequest } from '../../shared/registration';
import type { Envelope } from '../../shared/service';
import { ServiceError } from '../../shared/serviceError';
import type { Outcome } from '../../shared/serviceError';
import { withToken } from './addresses';
import type { Registration } from './record';

export function registrationOf(webhookUrl: string, credential: ServiceCredential): Registration {
	return {
		webhookUrl,
		baseUrl: credential.baseUrl,
		merchantId: credential.merchantId.digits,
		apiKey: credential.key,
		secret: credential.webhookSecret,
	};
}

/** Registers one of n8n's addresses, with the token in it. */
export async function registerWithToken(
	node: IHookFunctions | IWebhookFunctions,
	credential: ServiceCredential,
	url: string,
): Promise<Outcome<Envelope>> {
	return await registerUrl(node, credential, withToken(url, credential.webhookSecret));
}

export async function registerUrl(
	node: IHookFunctions | IWebhookFunctions,
	credential: ServiceCredential,
	url: string,
): Promise<Outcome<Envelope>> {
	const request = registrationRequest(url, credential.merchantId, credential.webhookSecret);
	return await callService(node, apiKeyCredential, credential, request);
}

const tries = 4;

/** Milliseconds before the second try; it doubles with each. */
const firstWait = 500;

/** For a registration that nobody waits for and nobody would repeat: it is tried a few times. */
export async function persistently(
	register: () => Promise<Outcome<Envelope>>,
): Promise<Outcome<Envelope>> {
	let outcome = await register();
	for (let retry = 0; retry < tries - 1; retry++) {
		if (!(outcome instanceof ServiceError) || outcome.details.kind === 'refused') break;
		await sleep(firstWait * 2 ** retry);
		outcome = await register();
	}
	return outcome;
}
