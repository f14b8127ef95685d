import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { apiKeyCredential } from '../../shared/credential';
import {
	registerWebhookRequest,
	sendRequest,
	toServiceResponse,
} from '../../shared/service/request';
import type { TriggerCredential } from './triggerCredential';

/**
 * Milliseconds. n8n tries an activation five times, 15 seconds apart in all, and ends it with words
 * of its own after 84; the person should read ours.
 */
const timeout = 10_000;

/**
 * Registers an address at the service.
 *
 * @param url with its token, if it has one
 * @throws ServiceError
 */
export async function registerUrl(
	node: IHookFunctions | IWebhookFunctions,
	credential: TriggerCredential,
	url: string,
	secret: string = credential.keys.secret,
): Promise<void> {
	const request = registerWebhookRequest(url, credential.merchantId, secret);
	await sendRequest(request, credential, async (options) =>
		toServiceResponse(
			await node.helpers.httpRequestWithAuthentication.call(node, apiKeyCredential, {
				...options,
				timeout,
			}),
		),
	);
}
