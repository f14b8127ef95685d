import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CredentialName, ServiceCredential } from '../../shared/credentials/credential';
import {
	readAnswerTo,
	readErrorOf,
	toAnswer,
	toHttpOptions,
} from '../../shared/service/httpRequest';
import type { Envelope, ServiceRequest } from '../../shared/service/api';
import type { Outcome } from '../../shared/service/serviceError';

/**
 * Milliseconds. n8n tries an activation five times, 15 seconds apart in all, and ends it with words
 * of its own after 84; the person should read ours.
 */
const timeout = 10_000;

/** Makes one call from a trigger, where n8n's declarative engine is not at work. */
export async function callService(
	node: IHookFunctions | IWebhookFunctions,
	name: CredentialName,
	credential: ServiceCredential,
	request: ServiceRequest,
): Promise<Outcome<Envelope>> {
	let response: unknown;
	try {
		response = await node.helpers.httpRequestWithAuthentication.call(node, name, {
			...toHttpOptions(request, credential),
			timeout,
		});
	} catch (error) {
		return readErrorOf(request, credential, error);
	}
	return readAnswerTo(request, credential, toAnswer(response));
}
