import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { callService } from '../../shared/callService';
import { apiKeyCredential } from '../../shared/credential';
import { registrationRequest } from '../../shared/registration';
import type { Envelope } from '../../shared/service';
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
