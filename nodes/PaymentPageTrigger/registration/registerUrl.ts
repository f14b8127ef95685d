import {
	NodeApiError,
	NodeOperationError,
	type IHookFunctions,
	type INode,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { apiKeyCredential } from '../../shared/credential';
import { InvalidFieldError, ServiceError } from '../../shared/errors';
import {
	registeredUrl,
	registerWebhookRequest,
	sendRequest,
	toServiceResponse,
} from '../../shared/service/request';
import { isPrivateAddress, tokensIn } from '../addresses';
import type { TriggerCredential } from '../keys';

/**
 * Milliseconds. n8n tries an activation five times, 15 seconds apart in all, and ends it with words
 * of its own after 84; the person should read ours.
 */
const timeout = 10_000;

/**
 * Registers an address at the service, with the credential as it was read.
 *
 * @param url with its token, if it has one
 * @throws ServiceError
 */
export async function registerUrl(
	node: IHookFunctions | IWebhookFunctions,
	credential: TriggerCredential,
	url: string,
): Promise<void> {
	const { merchantId, keys, data } = credential;
	const request = registerWebhookRequest(url, merchantId, keys.secret);
	const stored = { id: '', name: '', type: apiKeyCredential, data };
	const answer = await sendRequest(request, credential, async (options) =>
		toServiceResponse(
			await node.helpers.httpRequestWithAuthentication.call(
				node,
				apiKeyCredential,
				{ ...options, timeout },
				{ credentialsDecrypted: stored },
			),
		),
	).catch((error: unknown) => {
		throw error instanceof ServiceError
			? error.withAdvice(adviceOn(error, url, credential))
			: error;
	});
	const echo = registeredUrl(answer);
	const isCut =
		echo !== undefined && tokensIn(url).some((token) => !tokensIn(echo).includes(token));
	if (isCut) {
		node.logger.warn(
			`Payment Page Trigger: the service registered ${url.split('?')[0]} without the token behind the "?". Events that are not signed will be rejected.`,
		);
	}
}

/** What helps with a registration; the error's own advice also speaks of items and pages. */
function adviceOn(
	{ advice, details }: ServiceError,
	url: string,
	{ baseUrl }: TriggerCredential,
): string {
	const { kind, statusCode, responseCode } = details;
	if (kind === 'busy') return 'Try again in a few minutes.';
	if (kind === 'answerLost') {
		return "Try again later. If this continues, contact the service's support.";
	}
	if (statusCode === 401 || statusCode === 403) {
		return 'Check the API key and the merchant ID in the credential. The private key does not work here.';
	}
	// Without a status nobody answered, and 404 or a redirect is about the address of the service.
	const isAnswer = responseCode !== undefined || statusCode === 400 || statusCode === 422;
	if (kind !== 'rejected' || !isAnswer) return advice;
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

/** The error that makes an activation or a test fail. */
export function hookError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const message = `The webhook was not registered: ${describeError(error)}`;
	if (!(error instanceof ServiceError)) return new NodeOperationError(node, message);
	const { statusCode } = error.details;
	return new NodeApiError(
		node,
		{ message },
		{ message, ...(statusCode === undefined ? {} : { httpCode: String(statusCode) }) },
	);
}
