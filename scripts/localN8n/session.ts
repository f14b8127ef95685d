import { Agent } from 'node:http';
import axios, { type Method } from 'axios';

/** n8n rejected a request. */
export class N8nRequestError extends Error {
	override name = 'N8nRequestError';

	constructor(
		request: string,
		readonly status: number,
		readonly reason: string, // what n8n said
	) {
		super(`${request} was answered ${status}: ${reason}`);
	}
}

/** Requests to n8n's REST API as the editor makes them: with a browser's id and a login cookie. */
export class N8nSession {
	private cookie = '';

	constructor(readonly url: string) {}

	/** Gives what n8n has under `data` in its answer; that it is a `T` is not checked. */
	async request<T>(method: Method, path: string, body?: unknown, query?: object): Promise<T> {
		const url = `${this.url}/rest${path}`;
		const request = `${method.toUpperCase()} ${url}`;
		const { status, data, headers } = await axios<{ data: T; message?: string }>({
			...{ method, url, data: body, params: query, timeout: 60_000 },
			headers: { 'browser-id': 'payment-pages-scripts', Cookie: this.cookie },
			// A kept connection is one that n8n may just be closing when the next request is sent.
			httpAgent: new Agent({ keepAlive: false }),
			validateStatus: () => true,
		}).catch((error: unknown) => {
			// Axios' own error holds the whole connection, unreadable in a terminal.
			throw new Error(`${request} failed: ${error instanceof Error ? error.message : ''}`);
		});
		const reason = data.message ?? JSON.stringify(data);
		if (status >= 400) throw new N8nRequestError(request, status, reason);
		const cookies = headers['set-cookie'];
		if (cookies) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
		return data.data;
	}
}
