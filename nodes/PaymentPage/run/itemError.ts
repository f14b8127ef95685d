import {
	NodeApiError,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { InvalidFieldError, isInDoubt, ServiceError } from '../../shared/errors';
import type { Run, Try } from './run';

interface Stop extends Pick<Run, 'outputs' | 'hasSent'>, Pick<Try, 'failures'> {
	rerunAdvice: string;
}

/** What the node has done, for a run that stopped at an item. */
function stopSentences(stop: Stop, item: number, total: number): string[] {
	const { outputs, failures, hasSent, rerunAdvice } = stop;
	if (!hasSent) return ['Nothing was sent.'];
	if (total === 1) return [];
	const doubtful = [...failures].flatMap(([other, error]) =>
		other !== item && error instanceof ServiceError && isInDoubt(error)
			? [`Row ${other + 1}: ${error.message}.`]
			: [],
	);
	if (outputs.size === 0) return [...doubtful, 'No row is finished.'];
	const rows = outputs.size === 1 ? 'rows is' : 'rows are';
	return [...doubtful, `${outputs.size} of ${total} ${rows} finished.`, rerunAdvice];
}

/** n8n drops the outputs, and the service can't be asked for a link: here is what it said. */
function finishedRows({ outputs }: Stop): object[] {
	const rows = [...outputs].sort(([first], [second]) => first - second);
	return rows.map(([item, { json }]) => {
		const { id, paymentPageLinkReference, paymentPageLink } = json;
		return { row: item + 1, id, paymentPageLinkReference, paymentPageLink };
	});
}

/**
 * The error of one item, as n8n shows it. Of one that is none of ours (n8n's, on reading the
 * credential, say) only the words are kept.
 *
 * @param stop given when the node stops at this item
 */
export function itemError(
	node: INode,
	error: unknown,
	[item, total]: [item: number, total: number],
	stop?: Stop,
): NodeApiError {
	const message = error instanceof Error ? error.message : String(error);
	const isOurs = error instanceof ServiceError || error instanceof InvalidFieldError;
	const { statusCode, responseCode } = error instanceof ServiceError ? error.details : {};
	const data = { message, ...(responseCode === undefined ? {} : { responseCode }) };
	const sentences = [
		...(isOurs && error.advice !== '' ? [error.advice] : []),
		...(total === 1 ? [] : [`Row ${item + 1} of ${total} (n8n calls it item ${item}).`]),
		...(stop === undefined ? [] : stopSentences(stop, item, total)),
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
	result.context.data =
		stop === undefined ? data : { ...data, total, finished: finishedRows(stop) };
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
