import { parse as parseForm } from 'node:querystring';
import { buffer } from 'node:stream/consumers';
import type { NextFunction, Request, Response } from 'express';

/** An error that n8n answers with a status of its own, which is also its code. */
export class AnswerError extends Error {
	constructor(
		readonly code: number,
		message: string,
	) {
		super(message);
	}
}

/** Adds what n8n adds to a request; the bytes stay in the socket until somebody asks for them. */
export function addRawBodyReader(request: Request, _: Response, next: NextFunction): void {
	const [type, ...parameters] = request.headers['content-type']?.split(';') ?? [];
	if (type !== undefined) {
		request.contentType = type.toLowerCase();
		const charset = /charset="?([^";]+)/i.exec(parameters.join(';'))?.[1] ?? 'utf-8';
		request.encoding = charset.trim().toLowerCase() as BufferEncoding;
	}
	let reading: Promise<Buffer> | undefined;
	request.readRawBody = async () => {
		reading ??= buffer(request);
		request.rawBody = await reading;
	};
	next();
}

/**
 * Parses the body as n8n does for a trigger of version 2 or later: of a type that n8n does not know,
 * nothing is even read. XML, multipart forms and packed bodies, for which n8n has libraries of its own,
 * are left to the e2e tests.
 *
 * @throws AnswerError 422 when the body is not what its type says
 */
export async function parseBody(request: Request): Promise<void> {
	const { contentType } = request;
	if (contentType === undefined) return;
	if (!/^(application\/(json|x-www-form-urlencoded)|text\/plain)/.test(contentType)) return;
	await request.readRawBody();
	if (request.rawBody.length === 0) return;
	const text = request.rawBody.toString(request.encoding);
	try {
		if (contentType === 'application/json') request.body = JSON.parse(text);
		else if (contentType === 'text/plain') request.body = text;
		else request.body = parseForm(text);
	} catch {
		throw new AnswerError(422, 'Failed to parse request body');
	}
}
