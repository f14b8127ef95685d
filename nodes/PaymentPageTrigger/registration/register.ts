import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { callService } from './callService';
import { apiKeyCredential } from '../../shared/credentials/credential';
import { registrationRequest } from '../../shared/service/registerWebhook';
import type { Envelope } from '../../shared/service/api';
import type { Outcome } from '../../shared/service/serviceError';
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
