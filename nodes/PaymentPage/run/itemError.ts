import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/invalidFieldError';
import { ServiceError } from '../../shared/serviceError';
import type { DoneItem } from './nodeRun';

/** What had been done when an item failed and the node stopped. */
export interface Progress {
	done: DoneItem[];
	total: number;
}

const shownReferences = 10;

/** For a run that stopped: what is done, so that a rerun need not do it again. */
function progressSentence({ done, total }: Progress): string {
	if (total === 1) return '';
	if (done.length === 0) return ` None of the ${total} items was done.`;
	const references = done
		.map(({ paymentPageLinkReference, id }) => paymentPageLinkReference ?? id)
		.filter((reference) => reference !== undefined)
		.map(String);
	const more = references.length > shownReferences ? ', …' : '';
	const list = references.slice(0, shownReferences).join(', ');
	return ` ${done.length} of ${total} items were done${list === '' ? '' : `: ${list}${more}`}.`;
}

/**
 * The error of one item, as n8n shows it: what went wrong, with which item, what to do next.
 *
 * @param progress given when the node stops at this item
 */
export function itemError(
	node: INode,
	error: unknown,
	itemIndex: number,
	progress?: Progress,
): NodeApiError | NodeOperationError {
	const description =
		`${adviceOf(error)}The item is number ${itemIndex} (n8n counts from 0).` +
		(progress === undefined ? '' : progressSentence(progress));
	const result =
		error instanceof ServiceError
			? apiError(node, error, itemIndex, description)
			: new NodeOperationError(node, messageOf(error), { itemIndex, description });
	if (progress !== undefined) result.context.data = { ...progress };
	return result;
}

function adviceOf(error: unknown): string {
	return error instanceof ServiceError || error instanceof InvalidFieldError
		? `${error.advice} `
		: '';
}

/** Of an error that is none of ours (n8n's, on reading the credential, say) only the words are kept. */
function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function apiError(
	node: INode,
	{ message, details }: ServiceError,
	itemIndex: number,
	description: string,
): NodeApiError {
	const { statusCode, responseCode } = details;
	return new NodeApiError(
		node,
		{ message, ...(responseCode === undefined ? {} : { responseCode }) },
		{
			message,
			description,
			itemIndex,
			...(statusCode === undefined ? {} : { httpCode: String(statusCode) }),
		},
	);
}
