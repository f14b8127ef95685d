import { request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export interface SentRequest {
	method?: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
	signal?: AbortSignal;
}

export interface Answer {
	status: number | undefined;
	contentType: string | undefined;
	text: string;
}

/** Sends exactly these headers and bytes: a friendlier client would add some of its own. */
export async function send(
	url: string,
	{ method = 'POST', headers = {}, body = '', signal }: SentRequest,
): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const request = httpRequest(url, { method, headers, agent: false, signal }, (response) => {
			const { statusCode: status, headers: answered } = response;
			const answer = { status, contentType: answered['content-type'] };
			textOf(response).then((text) => resolve({ ...answer, text }), reject);
		});
		request.on('error', reject).end(body);
	});
}
