import { NodeApiError, type INode, type INodeParameters, type JsonObject } from 'n8n-workflow';

import { InvalidFieldError, ServiceError } from '../../shared/errors';
import { isRecord } from '../../shared/values';
import { serviceText } from '../../shared/service/redact';

/** Which item failed. */
interface FailedItem {
	itemIndex: number;
	/** How often something was sent again for it. */
	retries: number;
}

/** An item that is done, as the user needs to know it after a failure. */
export interface DoneItem {
	item: number;
	id?: unknown;
	paymentPageLinkReference?: unknown;
}

/** What had been done when an item failed and the node stopped. */
export interface Progress {
	done: DoneItem[];
	total: number;
}

/** Where a run stopped, and what another one does about it. */
export interface Stop extends Progress {
	rerunAdvice: string;
}

const shownNames = 10;

/**
 * The error of one item, as n8n shows it: what went wrong, with which item, what to do next. Of an
 * error that is none of ours (n8n's, on reading the credential, say) only the words are kept.
 *
 * @param stop given when the node stops at this item
 */
export function itemError(
	node: INode,
	error: unknown,
	{ itemIndex, retries }: FailedItem,
	stop?: Stop,
): NodeApiError {
	const message = error instanceof Error ? error.message : String(error);
	const { statusCode, responseCode } = error instanceof ServiceError ? error.details : {};
	const data: JsonObject = { message, ...(responseCode === undefined ? {} : { responseCode }) };
	const result = new NodeApiError(withoutSecrets(node), data, {
		message,
		description: [
			adviceOf(error),
			`The item is number ${itemIndex} (n8n counts from 0).`,
			retriesSentence(retries),
			stop === undefined ? '' : stopSentences(stop),
		]
			.filter((sentence) => sentence !== '')
			.join(' '),
		itemIndex,
		...(statusCode === undefined ? {} : { httpCode: String(statusCode) }),
	});
	// n8n has put words of its own in its place if it has letters such as the EACCES of "freeaccess".
	result.message = message;
	result.context.data = { ...data, ...(stop && { done: stop.done, total: stop.total }) };
	return result;
}

/** n8n keeps the node with its error: a secret or a proxy's login typed into it would be shown there. */
function withoutSecrets(node: INode): INode {
	const parameters = { ...node.parameters };
	if (parameters.secret !== undefined) parameters.secret = '***';
	const requestOptions: unknown = parameters.requestOptions;
	if (isRecord(requestOptions) && typeof requestOptions.proxy === 'string') {
		const proxy = requestOptions.proxy.replace(/\/\/.*@/s, '//***@');
		parameters.requestOptions = { ...(requestOptions as INodeParameters), proxy };
	}
	return { ...node, parameters };
}

function retriesSentence(retries: number): string {
	if (retries === 0) return '';
	return `The request was retried ${retries === 1 ? 'once' : `${retries} times`}.`;
}

function adviceOf(error: unknown): string {
	return error instanceof ServiceError || error instanceof InvalidFieldError ? error.advice : '';
}

/** The name of an item that is done: the service's answer, which need be neither short nor text. */
function nameOf({ paymentPageLinkReference, id }: DoneItem): string {
	const names = [paymentPageLinkReference, id].map((value) =>
		serviceText(typeof value === 'number' ? String(value) : value),
	);
	return names.find((name) => name !== '') ?? '';
}

/** For a run that stopped: what is done, and what that means for another run. */
function stopSentences({ done, total, rerunAdvice }: Stop): string {
	if (total === 1) return '';
	if (done.length === 0) return `None of the ${total} items was done.`;
	const names = done.map(nameOf).filter((name) => name !== '');
	const more = names.length > shownNames ? ', …' : '';
	const list = names.slice(0, shownNames).join(', ');
	return [
		`${done.length} of ${total} items were done${list === '' ? '' : `: ${list}${more}`}.`,
		// Of the two that n8n calls a retry, only one goes on.
		`A new run starts from the first item, and so does 'Retry' in the executions list. Only 'Retry On Fail' in the node settings continues where it stopped. ${rerunAdvice}`,
	].join(' ');
}
