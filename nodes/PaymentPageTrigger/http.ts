import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { findToken } from './urlToken';
import type { Headers } from './verification/headers';

/** What the trigger uses of n8n's request (Express's, with the bytes of the body added). */
interface WebhookRequest {
	method: string;
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
	writableEnded: boolean;
	once(event: 'close', listener: () => void): void;
}

/** A request at the address of the trigger, as it came: an event, or a probe. */
export interface ReceivedRequest {
	method: string;
	/** Path and query. */
	originalUrl: string;
	headers: Headers;
	params: unknown;
	query: Record<string, unknown>;
	/** The token in the address, right or wrong. */
	token: string | undefined;
	/**
	 * The exact bytes of the body; undefined when there are none to be had: n8n reads a multipart form
	 * itself and keeps no bytes of it, and a compressed body may be broken.
	 */
	rawBody: Buffer | undefined;
	/** What n8n read of the body. */
	parsedBody: unknown;
	/** Whether the body is complete in one of the two forms. */
	isReadable: boolean;
}

/** n8n leaves the bytes of a content type that it does not know in the socket until they are asked for. */
async function readRawBody(request: WebhookRequest): Promise<Buffer | undefined> {
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody?.();
	} catch {
		return undefined; // An error here would make n8n answer 500 and start the workflow with it.
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

export async function readRequest(node: IWebhookFunctions): Promise<ReceivedRequest> {
	const request: WebhookRequest = node.getRequestObject();
	const { method, originalUrl, headers, params, query, contentType } = request;
	const isMultipartForm = contentType === 'multipart/form-data';
	const rawBody = isMultipartForm ? undefined : await readRawBody(request);
	return {
		method,
		originalUrl,
		headers,
		params,
		query,
		token: findToken(originalUrl),
		rawBody,
		parsedBody: node.getBodyData(),
		isReadable: isMultipartForm || rawBody !== undefined,
	};
}

/** How a request is answered. */
export interface Reply {
	status: number;
	/** For an event that starts the workflow with 200, n8n sends the answer of the node's description. */
	body: IDataObject;
	/** The item with which the workflow starts; absent when it does not. */
	output?: IDataObject;
}

/**
 * Answers at once, unless the workflow starts: then n8n answers when the execution is stored, so that a
 * sender who reads 200 need not send the event again.
 */
export function sendReply(
	node: IWebhookFunctions,
	{ status, body, output }: Reply,
): IWebhookResponseData {
	const response = responseOf(node);
	const workflowData = output === undefined ? undefined : [[{ json: output }]];
	if (workflowData !== undefined && status === 200) {
		// n8n takes the text of the answer from the description; it is JSON.
		response.setHeader('Content-Type', 'application/json; charset=utf-8');
		return { workflowData };
	}
	response.status(status).json(body);
	return { noWebhookResponse: true, ...(workflowData && { workflowData }) };
}

function responseOf(node: IWebhookFunctions): WebhookResponse {
	return node.getResponseObject();
}

/** What n8n did with an event: stored its execution, failed to, or is still at it. */
export type Fate = 'stored' | 'failed' | 'undecided';

/**
 * Calls back when an event is answered, or its sender is gone: n8n then goes on without the sender,
 * and ends the answer all the same when it is done (n8n facts, "Triggers").
 *
 * @param callback gets a function that tells the fate of the event at any time from then on
 */
export function onClose(node: IWebhookFunctions, callback: (fateOf: () => Fate) => void): void {
	const response = responseOf(node);
	const fateOf = (): Fate => {
		if (response.statusCode >= 500) return 'failed';
		return response.writableEnded ? 'stored' : 'undecided';
	};
	response.once('close', () => callback(fateOf));
}
