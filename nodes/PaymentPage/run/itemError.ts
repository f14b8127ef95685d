import {
	NodeApiError,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { InvalidFieldError, isInDoubt, ServiceError } from '../../shared/errors';
import type { Run, Try } from './run';

interface FailedItem {
	item: number;
	total: number; // items of the run
	retries: number; // how often something was sent again for it
}

/** What is known of a run that stopped. */
interface Stop extends Pick<Run, 'finished' | 'hasSent'>, Pick<Try, 'failures'> {
	rerunAdvice: string;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** What the node has done, for a run that stopped at an item. */
function stopSentences({ finished, failures, hasSent, rerunAdvice }: Stop, failed: FailedItem) {
	const { item, total } = failed;
	if (!hasSent) return ['Nothing was sent.'];
	if (total === 1) return [];
	const doubtful = [...failures]
		.filter(([other, error]) => other !== item && error instanceof ServiceError && isInDoubt(error))
		.map(([other, error]) => `Row ${other + 1}: ${messageOf(error)}.`);
	if (finished.length === 0) return [...doubtful, 'No row is finished.'];
	const rows = finished.length === 1 ? 'rows is' : 'rows are';
	return [...doubtful, `${finished.length} of ${total} ${rows} finished.`, rerunAdvice];
}

/** n8n drops the outputs, and the service can't be asked for a link: here is what it said. */
function toDetails({ finished, failures }: Stop, { item, total }: FailedItem) {
	const failed = [...failures]
		.filter(([other]) => other !== item)
		.map(([other, error]) => ({ row: other + 1, message: messageOf(error) }));
	return {
		total,
		finished: [...finished]
			.sort((first, second) => first.item - second.item)
			.map(({ item: other, ...page }) => ({ row: other + 1, ...page })),
		...(failed.length === 0 ? {} : { failed }),
	};
}

/**
 * The error of one item, as n8n shows it: what went wrong, what to do next, with which row as a person
 * counts it. Of an error that is none of ours (n8n's, on reading the credential, say) only the words
 * are kept.
 *
 * @param stop given when the node stops at this item
 */
export function itemError(
	node: INode,
	error: unknown,
	failed: FailedItem,
	stop?: Stop,
): NodeApiError {
	const { item, total, retries } = failed;
	const message = messageOf(error);
	const isOurs = error instanceof ServiceError || error instanceof InvalidFieldError;
	const { statusCode, responseCode } = error instanceof ServiceError ? error.details : {};
	const data = { message, ...(responseCode === undefined ? {} : { responseCode }) };
	const times = retries === 1 ? 'once' : `${retries} times`;
	const sentences = [
		...(isOurs && error.advice !== '' ? [error.advice] : []),
		...(total === 1 ? [] : [`Row ${item + 1} of ${total} (n8n calls it item ${item}).`]),
		...(retries === 0 ? [] : [`The request was retried ${times}.`]),
		...(stop === undefined ? [] : stopSentences(stop, failed)),
	];
	// n8n keeps the node with its error, and a proxy's login may be typed into it.
	const parameters = { ...node.parameters, requestOptions: {} };
	const result = new NodeApiError({ ...node, parameters }, data, {
		message,
		description: sentences.join(' '),
		itemIndex: item,
		...(statusCode === undefined ? {} : { httpCode: String(statusCode) }),
	});
	// n8n replaces a message with letters such as the EACCES of "freeaccess" (fact 15).
	result.message = message;
	result.context.data = { ...data, ...(stop === undefined ? {} : toDetails(stop, failed)) };
	return result;
}

/**
 * A failed item in the output of a node that is set to continue: its input, and why it failed. With
 * a property `error` beside `json`, n8n would reduce `json` to the message (fact 5).
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
	const status = httpCode === null ? {} : { httpCode };
	const code = responseCode === undefined ? {} : { responseCode };
	const details = { description, ...status, ...code };
	return { json: { ...context.getInputData().json, error: message, details }, pairedItem };
}
