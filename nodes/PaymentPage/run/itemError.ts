import {
	NodeApiError,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type JsonObject,
} from 'n8n-workflow';

import { InvalidFieldError, isInDoubt, ServiceError } from '../../shared/errors';
import { isRecord } from '../../shared/values';
import type { FinishedItem } from './run';

/** Which item failed. */
interface FailedItem {
	item: number;
	/** How many items the run has. */
	total: number;
	/** How often something was sent again for it. */
	retries: number;
}

/** What is known of a run that stopped at a failed item. */
interface Stop {
	finished: FinishedItem[];
	/** All failures of the try, by item; the others were in progress or are of bad rows. */
	failures: ReadonlyMap<number, unknown>;
	/** Whether any request has left. */
	hasSent: boolean;
	rerunAdvice: string;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** A row as a person counts it. */
function rowOf(item: number): number {
	return item + 1;
}

/** What the node has done, for a run that stopped. */
function stopSentences(stop: Stop, item: number, total: number): string[] {
	const { finished, failures, hasSent, rerunAdvice } = stop;
	const doubtful = [...failures]
		.filter(([other, error]) => other !== item && error instanceof ServiceError && isInDoubt(error))
		.map(([other, error]) => `Row ${rowOf(other)}: ${messageOf(error)}.`);
	if (!hasSent) return ['Nothing was sent.'];
	if (total === 1) return [];
	const count = finished.length === 0 ? 'No' : `${finished.length} of ${total}`;
	const isOne = finished.length <= 1;
	return [
		...doubtful,
		`${count} ${finished.length === 0 ? 'row is' : isOne ? 'rows is' : 'rows are'} finished.`,
		...(finished.length === 0 ? [] : [rerunAdvice]),
	];
}

/** n8n keeps the node with its error: a proxy's login typed into it would be shown there. */
function withoutSecrets(node: INode): INode {
	const requestOptions: unknown = node.parameters.requestOptions;
	if (!isRecord(requestOptions) || typeof requestOptions.proxy !== 'string') return node;
	const proxy = requestOptions.proxy.replace(/\/\/.*@/s, '//***@');
	return {
		...node,
		parameters: {
			...node.parameters,
			requestOptions: { ...(requestOptions as INodeParameters), proxy },
		},
	};
}

/**
 * The error of one item, as n8n shows it: what went wrong, what to do next, with which row. Of an
 * error that is none of ours (n8n's, on reading the credential, say) only the words are kept.
 *
 * @param stop given when the node stops at this item
 */
export function itemError(
	node: INode,
	error: unknown,
	{ item, total, retries }: FailedItem,
	stop?: Stop,
): NodeApiError {
	const message = messageOf(error);
	const isOurs = error instanceof ServiceError || error instanceof InvalidFieldError;
	const { statusCode, responseCode } = error instanceof ServiceError ? error.details : {};
	const data: JsonObject = { message, ...(responseCode === undefined ? {} : { responseCode }) };
	const sentences = [
		isOurs ? error.advice : '',
		total === 1 ? '' : `Row ${rowOf(item)} of ${total} (n8n calls it item ${item}).`,
		retries === 0 ? '' : `The request was retried ${retries === 1 ? 'once' : `${retries} times`}.`,
		...(stop === undefined ? [] : stopSentences(stop, item, total)),
	];
	const result = new NodeApiError(withoutSecrets(node), data, {
		message,
		description: sentences.filter((sentence) => sentence !== '').join(' '),
		itemIndex: item,
		...(statusCode === undefined ? {} : { httpCode: String(statusCode) }),
	});
	// n8n has put words of its own in its place if it has letters such as the EACCES of "freeaccess".
	result.message = message;
	result.context.data = { ...data, ...(stop === undefined ? {} : toDetails(stop, item, total)) };
	return result;
}

/** n8n drops the outputs, and the service can't be asked for a link: here is what it said. */
function toDetails({ finished, failures }: Stop, item: number, total: number) {
	const failed = [...failures]
		.filter(([other]) => other !== item)
		.map(([other, error]) => ({ row: rowOf(other), message: messageOf(error) }));
	return {
		total,
		finished: [...finished]
			.sort((first, second) => first.item - second.item)
			.map(({ item: other, ...page }) => ({ row: rowOf(other), ...page })),
		...(failed.length === 0 ? {} : { failed }),
	};
}

/**
 * A failed item in the output of a node that is set to continue: its input, and why it failed.
 *
 * It has no property `error` beside `json`, because n8n would then reduce `json` to the message.
 */
export function failedItem(
	context: IExecutePaginationFunctions,
	{ onError }: INode,
	{ message, description, httpCode, context: { data } }: NodeApiError,
): INodeExecutionData {
	const pairedItem = { item: context.getItemIndex() };
	if (onError === 'continueErrorOutput') {
		// n8n adds the input itself. Both 1.123 and 2.41 take an item with just these two keys for a
		// failed one; with more, 1.123 would give it out among the good ones.
		return { json: { error: message, message: description }, pairedItem };
	}
	const { responseCode } = data as { responseCode?: string };
	const details = {
		description,
		...(httpCode === null ? {} : { httpCode }),
		...(responseCode === undefined ? {} : { responseCode }),
	};
	return { json: { ...context.getInputData().json, error: message, details }, pairedItem };
}
