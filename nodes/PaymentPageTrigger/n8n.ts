import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { tokensIn } from './addresses';
import type { ReceivedEvent } from './verification/verify';

/** What the trigger uses of n8n's request: Express's, with the bytes of the body. */
interface WebhookRequest extends Pick<ReceivedRequest, 'method' | 'headers' | 'params' | 'query'> {
	originalUrl: string;
	contentType?: string; // without its parameters
	rawBody?: unknown;
	readRawBody?: () => Promise<void>;
}

/** A request at the address of the trigger, as it came. */
export interface ReceivedRequest extends ReceivedEvent {
	method: string;
	params: unknown;
	query: Record<string, unknown>;
	parsedBody: unknown; // what n8n read of the body
	isForm: boolean;
	isReadable: boolean; // false for a broken compressed body
}

/** n8n leaves a body of a content type that it does not know in the socket (fact 43). */
async function readRawBody(request: WebhookRequest): Promise<Buffer | undefined> {
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody?.();
	} catch {
		return undefined; // An error here would start the workflow with it (fact 44).
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

export async function readRequest(node: IWebhookFunctions): Promise<ReceivedRequest> {
	const request: WebhookRequest = node.getRequestObject();
	const { method, originalUrl, headers, params, query, contentType } = request;
	// n8n reads a multipart form itself, and keeps no bytes of it (fact 44).
	const isMultipart = contentType === 'multipart/form-data';
	const rawBody = isMultipart ? undefined : await readRawBody(request);
	return {
		...{ method, headers, params, query, rawBody },
		tokens: tokensIn(originalUrl),
		parsedBody: node.getBodyData(),
		isForm: contentType === 'application/x-www-form-urlencoded',
		isReadable: isMultipart || rawBody !== undefined,
	};
}

/** How a request is answered. */
export interface Reply {
	status: number;
	body: IDataObject;
	output?: IDataObject; // the item with which the workflow starts, if it does
}

/** What an event is answered that starts a workflow; the node's description has it as text. */
export const received = { received: true };

/** Answers at once, unless the workflow starts: then n8n answers, when the execution is stored. */
export function sendReply(
	node: IWebhookFunctions,
	{ status, body, output }: Reply,
): IWebhookResponseData {
	const response = node.getResponseObject();
	if (output === undefined) {
		response.status(status).json(body);
		return { noWebhookResponse: true };
	}
	// n8n takes the text of the answer from the description (fact 45); it is JSON.
	response.setHeader('Content-Type', 'application/json; charset=utf-8');
	return { workflowData: [[{ json: output }]] };
}

/** Calls back with the status when an event is answered, or when its sender is gone (fact 46). */
export function onClose(
	node: IWebhookFunctions,
	callback: (status: number) => Promise<void>,
): void {
	const response = node.getResponseObject();
	const call = () => void callback(response.statusCode);
	// Node.js emits it once: the sender may already be gone.
	if (response.closed) call();
	else response.once('close', call);
}
