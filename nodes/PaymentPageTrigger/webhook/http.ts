import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Headers } from '../verification/headers';

/** What the trigger uses of n8n's request (Express's, with the bytes of the body added). */
export interface WebhookRequest {
	method: string;
	/** Path and query as they came. */
	originalUrl: string;
	headers: Headers;
	/** Without its parameters. */
	contentType?: string;
	params: unknown;
	query: Record<string, unknown>;
	rawBody?: unknown;
	readRawBody?: () => Promise<void>;
}

interface WebhookResponse {
	status(code: number): WebhookResponse;
	json(body: IDataObject): void;
	setHeader(name: string, value: string): void;
	statusCode: number;
	writableFinished: boolean;
	once(event: 'close', listener: () => void): void;
}

export function requestOf(node: IWebhookFunctions): WebhookRequest {
	return node.getRequestObject();
}

function responseOf(node: IWebhookFunctions): WebhookResponse {
	return node.getResponseObject();
}

export function isMultipartForm({ contentType }: WebhookRequest): boolean {
	return contentType === 'multipart/form-data';
}

/**
 * The exact bytes of the body. n8n leaves those of a content type that it does not know in the
 * socket until they are asked for.
 *
 * @returns undefined when there are none to be had: n8n reads a multipart form itself and keeps no
 *   bytes of it, and a compressed body may be broken
 */
export async function readRawBody(request: WebhookRequest): Promise<Buffer | undefined> {
	if (isMultipartForm(request)) return undefined;
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody?.();
	} catch {
		return undefined; // An error here would make n8n answer 500 and start the workflow with it.
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

/** Answers at once, and starts nothing. */
export function answer(
	node: IWebhookFunctions,
	status: number,
	body: IDataObject,
): IWebhookResponseData {
	responseOf(node).status(status).json(body);
	return { noWebhookResponse: true };
}

/** How the answer to an event ended. */
export interface Ending {
	/** Whether it was sent; otherwise the sender was gone before. */
	isAnswered: boolean;
	/** Whether n8n failed, as when it could not store the execution; without an answer, so far. */
	hasFailed: () => boolean;
}

/** Calls back when an event is answered, or its sender is gone. */
export function onClose(node: IWebhookFunctions, callback: (ending: Ending) => void): void {
	const response = responseOf(node);
	response.once('close', () => {
		const { writableFinished: isAnswered } = response;
		callback({ isAnswered, hasFailed: () => response.statusCode >= 500 });
	});
}

/** n8n sends the answer of an accepted event once the execution is stored; its text is JSON. */
export function start(node: IWebhookFunctions, json: IDataObject): IWebhookResponseData {
	responseOf(node).setHeader('Content-Type', 'application/json; charset=utf-8');
	return { workflowData: [[{ json }]] };
}

/** Starts the workflow, and asks the service to send the event again all the same. */
export function startAndAskAgain(node: IWebhookFunctions, json: IDataObject): IWebhookResponseData {
	return { ...answerAskAgain(node), workflowData: [[{ json }]] };
}

export function answerAskAgain(node: IWebhookFunctions): IWebhookResponseData {
	return answer(node, 503, { message: 'A test is using this address. Send the event again.' });
}
