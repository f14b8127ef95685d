import { Agent } from 'node:http';
import axios, { type AxiosInstance, type Method } from 'axios';

/** n8n refused a request. */
export class N8nRequestError extends Error {
	override name = 'N8nRequestError';

	constructor(
		request: string,
		readonly status: number,
		/** What n8n said. */
		readonly reason: string,
	) {
		super(`${request} was answered ${status}: ${reason}`);
	}
}

function messageOf(body: unknown): string {
	const isRecord = typeof body === 'object' && body !== null;
	return isRecord && 'message' in body ? String(body.message) : JSON.stringify(body);
}

/** Requests to n8n's REST API as the editor makes them: with a browser's id and a login cookie. */
export class N8nSession {
	private readonly http: AxiosInstance;
	private cookie = '';

	constructor(readonly url: string) {
		this.http = axios.create({
			baseURL: `${url}/rest`,
			headers: { 'browser-id': 'payment-pages-scripts' },
			timeout: 60_000,
			// A kept connection is one that n8n may just be closing when the next request is sent.
			httpAgent: new Agent({ keepAlive: false }),
			validateStatus: () => true,
		});
	}

	/**
	 * Sends a request and gives what stands under `data` in the answer, which is where n8n puts it.
	 * `T` is the caller's knowledge of that endpoint; it is not checked.
	 */
	async request<T>(
		method: Method,
		path: string,
		body?: unknown,
		query?: Record<string, unknown>,
	): Promise<T> {
		const request = `${method.toUpperCase()} ${this.url}/rest${path}`;
		const answer = await this.http
			.request<{ data: T }>({
				method,
				url: path,
				data: body,
				params: query,
				headers: { Cookie: this.cookie },
			})
			.catch((error: unknown) => {
				// Axios' own error holds the whole connection, unreadable in a terminal.
				throw new Error(`${request} failed: ${error instanceof Error ? error.message : ''}`);
			});
		if (answer.status >= 400) {
			throw new N8nRequestError(request, answer.status, messageOf(answer.data));
		}
		const cookies = answer.headers['set-cookie'];
		if (cookies) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
		return answer.data.data;
	}
}
