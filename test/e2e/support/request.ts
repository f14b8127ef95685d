import { request as httpRequest } from 'node:http';

export interface SentRequest {
	method?: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
}

export interface Answer {
	status: number | undefined;
	contentType: string | undefined;
	text: string;
}

/** Sends exactly these headers and bytes: a friendlier client would add some of its own. */
export async function send(
	url: string,
	{ method = 'POST', headers = {}, body = '' }: SentRequest,
): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const request = httpRequest(url, { method, headers, agent: false }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				resolve({
					status: response.statusCode,
					contentType: response.headers['content-type'],
					text: Buffer.concat(chunks).toString(),
				});
			});
		});
		request.on('error', reject);
		request.end(body);
	});
}
