import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/invalidFieldError';
import { ServiceError } from '../../shared/serviceError';

/** What went wrong and what to do, in one text: of an activation, n8n shows the message alone. */
export function wordsOf(error: unknown): string {
	if (error instanceof ServiceError || error instanceof InvalidFieldError) {
		return `${error.message}. ${error.advice}`;
	}
	return error instanceof Error ? error.message : 'Something went wrong';
}

/** The error that makes an activation or a test fail. */
export function hookError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	const message = `The webhook was not registered: ${wordsOf(error)}`;
	if (!(error instanceof ServiceError)) return new NodeOperationError(node, message);
	const { statusCode } = error.details;
	return new NodeApiError(
		node,
		{ message },
		{ message, ...(statusCode === undefined ? {} : { httpCode: String(statusCode) }) },
	);
}
