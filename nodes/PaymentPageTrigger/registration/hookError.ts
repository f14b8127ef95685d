import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { InvalidFieldError, ServiceError } from '../../shared/errors';

/** What helps with a registration; the error's own advice also speaks of items and pages. */
function adviceOn({ advice, details }: ServiceError): string {
	const { kind, statusCode, responseCode } = details;
	if (kind === 'busy') return 'Try again in a few minutes.';
	if (kind === 'answerLost') {
		return "Try again later. If this continues, contact the service's support.";
	}
	if (statusCode === 401 || statusCode === 403) {
		return 'Check the API key and the merchant ID in the credential; the private key does not work for webhooks.';
	}
	// Without a status nobody answered, and 404 or a redirect is about the address of the service.
	const isAnswer = responseCode !== undefined || statusCode === 400 || statusCode === 422;
	return kind === 'rejected' && isAnswer
		? "Check the merchant ID in the credential, and that the URL of n8n (WEBHOOK_URL) is public. If the service does not accept \"?\" in a webhook URL, set 'Verification' to 'Signature'. The URL then has no token."
		: advice;
}

/** What happened and what to do, in one text: of an activation, n8n shows the message alone. */
export function describeError(error: unknown): string {
	if (error instanceof ServiceError) return `${error.message}. ${adviceOn(error)}`;
	if (error instanceof InvalidFieldError) return `${error.message}. ${error.advice}`;
	return error instanceof Error ? error.message : 'Something went wrong';
}

/** The error that makes an activation or a test fail. */
export function hookError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	const message = `The webhook was not registered: ${describeError(error)}`;
	if (!(error instanceof ServiceError)) return new NodeOperationError(node, message);
	const { statusCode } = error.details;
	return new NodeApiError(
		node,
		{ message },
		{ message, ...(statusCode === undefined ? {} : { httpCode: String(statusCode) }) },
	);
}
