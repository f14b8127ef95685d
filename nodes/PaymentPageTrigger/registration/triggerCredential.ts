import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { apiKeyCredential, readCredential, type ServiceCredential } from '../../shared/credential';
import { deriveUrlToken, deriveWebhookSecret, type WebhookKeys } from '../secrets';

/** The credential of the trigger, with the keys that follow from it. */
export interface TriggerCredential extends ServiceCredential {
	keys: WebhookKeys;
}

/** @throws InvalidFieldError naming the field of the credential that cannot be right */
export async function readTriggerCredential(
	node: IHookFunctions | IWebhookFunctions,
): Promise<TriggerCredential> {
	const credential = readCredential(apiKeyCredential, await node.getCredentials(apiKeyCredential));
	const secret = credential.webhookSecret || deriveWebhookSecret(credential.key);
	return { ...credential, keys: { secret, token: deriveUrlToken(credential.key, secret) } };
}
