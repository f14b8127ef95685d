import { NodeOperationError, type INode } from 'n8n-workflow';

import { InvalidFieldError, ServiceError } from '../../shared/errors';
import {
	registeredUrl,
	registerWebhookRequest,
	sendRequest,
	toServiceResponse,
} from '../../shared/service/request';
import { isPrivateAddress, tokensIn } from '../addresses';
import type { NodeContext, TriggerCredential } from '../memory';

/** @throws ServiceError when the service did not register the URL, or may not have */
export async function registerUrl(
	node: NodeContext,
	credential: TriggerCredential,
	url: string,
): Promise<void> {
	const { name, merchantId, keys, data } = credential;
	const request = registerWebhookRequest(url, merchantId, keys.secret);
	const stored = { credentialsDecrypted: { id: '', name: '', type: name, data } };
	const { helpers } = node;
	const answer = await sendRequest(request, credential, async (options) => {
		// Milliseconds: with longer tries, n8n cuts the activation off (fact 26).
		const all = { ...options, timeout: 10_000 };
		return toServiceResponse(
			await helpers.httpRequestWithAuthentication.call(node, name, all, stored),
		);
	}).catch((error: unknown) => {
		throw error instanceof ServiceError
			? error.withAdvice(adviceOn(error, url, credential))
			: error;
	});
	const echo = registeredUrl(answer) ?? url;
	if (tokensIn(url).every((token) => tokensIn(echo).includes(token))) return;
	node.logger.warn(
		`Payment Page Trigger: the service registered ${url.split('?')[0]} without the token behind the "?". Events that are not signed will be rejected.`,
	);
}

/** What helps with a registration, where the error's own advice speaks of rows and pages. */
function adviceOn(
	{ advice, details }: ServiceError,
	url: string,
	{ baseUrl }: TriggerCredential,
): string {
	const { kind, statusCode = 0, responseCode } = details;
	if (kind === 'answerLost') return "Try again later, or contact the service's support.";
	const isAnswer = responseCode !== undefined || [400, 409, 422].includes(statusCode);
	if (kind !== 'rejected' || !isAnswer || [401, 403].includes(statusCode)) return advice;
	return isPrivateAddress(url) && !isPrivateAddress(baseUrl)
		? 'The URL of this n8n is not public. Set WEBHOOK_URL to its public URL.'
		: 'Check the merchant ID in the credential.';
}

/** What happened and what to do, in one text: of an activation, n8n shows the message alone. */
export function describeError(error: unknown): string {
	if (error instanceof ServiceError || error instanceof InvalidFieldError) {
		return `${error.message}. ${error.advice}`;
	}
	return error instanceof Error ? error.message : "n8n gave no reason. Look into n8n's log.";
}

export function hookError(node: INode, error: unknown): NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, `The webhook was not registered: ${describeError(error)}`);
}
