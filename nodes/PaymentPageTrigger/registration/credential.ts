import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { apiKeyCredential, readCredential } from '../../shared/credential';
import type { ServiceCredential } from '../../shared/credential';
import { deriveWebhookSecret } from '../../shared/secrets';

/** The credential of the trigger; its webhook secret is never empty. */
export async function readTriggerCredential(
	node: IHookFunctions | IWebhookFunctions,
): Promise<ServiceCredential> {
	const credential = readCredential(apiKeyCredential, await node.getCredentials(apiKeyCredential));
	const webhookSecret = credential.webhookSecret || deriveWebhookSecret(credential.key);
	return { ...credential, webhookSecret };
}
