import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../sandbox';
import { LosslessNumber } from 'lossless-json';
import { toExactJson } from '../../sandbox/exactJson';

/** HTTP as it is on the wire: Node's own client sends a path untouched and gives the raw text. */

export interface Answer {
	status: number;
	headers: http.IncomingHttpHeaders;
	text: string;
	/** The answer read as JSON; digits beyond 2^53 are to be looked at in `text`. */
	json: () => unknown;
}

interface RequestOptions {
	method?: 'GET' | 'POST';
	headers?: http.OutgoingHttpHeaders;
	body?: string;
}

export async function bodyOf(message: http.IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of message) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

/** Sends to a path of a server; rejects when the connection fails or is cut. */
export async function send(
	origin: string,
	path: string,
	{ method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Answer> {
	const message = await new Promise<http.IncomingMessage>((resolve, reject) => {
		const { hostname, port } = new URL(origin);
		http
			.request({ hostname, port, path, method, headers, agent: false }, resolve)
			.on('error', reject)
			.end(body);
	});
	const text = (await bodyOf(message)).toString('utf8');
	const { statusCode = 0, headers: answered } = message;
	return { status: statusCode, headers: answered, text, json: () => JSON.parse(text) as unknown };
}

export const paths = {
	create: '/api/PaymentPages/Add',
	update: '/api/PaymentPages/Update',
	validate: '/api/PaymentPages/ValidatePaymentPageLinkRefernce/',
	register: '/api/WebhookRegistration/RegisterWebhook',
};

/** A call of a POST endpoint with the key that it takes, or with another one. */
export async function post(
	sandbox: Sandbox,
	endpoint: 'create' | 'update' | 'register',
	body: object | string,
	key?: string,
): Promise<Answer> {
	const { privateKey, apiKey } = sandbox.settings;
	const authorization = `Bearer ${key ?? (endpoint === 'register' ? apiKey : privateKey)}`;
	return send(sandbox.url, paths[endpoint], {
		method: 'POST',
		headers: { authorization, 'content-type': 'application/json' },
		body: typeof body === 'string' ? body : toExactJson(body),
	});
}

/** Asks for a reference; it is sent as it stands when it is encoded already. */
export async function validate(sandbox: Sandbox, encodedReference: string): Promise<Answer> {
	return send(sandbox.url, paths.validate + encodedReference, {
		headers: { authorization: `Bearer ${sandbox.settings.privateKey}` },
	});
}

/** Page fields with the sandbox's merchant ID, exact in JSON. */
export function pageFields(sandbox: Sandbox, fields: object = {}): object {
	return {
		merchantId: new LosslessNumber(sandbox.settings.merchantId),
		pageName: 'Page',
		...fields,
	};
}

export async function registerUrl(
	sandbox: Sandbox,
	webhookUrl: string,
	secret = 'hook secret',
): Promise<Answer> {
	const merchantId = new LosslessNumber(sandbox.settings.merchantId);
	return post(sandbox, 'register', { webhookUrl, merchantId, secret });
}

export interface Received {
	method: string;
	url: string;
	headers: http.IncomingHttpHeaders;
	/** Names and values in turn, as they came. */
	rawHeaders: string[];
	body: Buffer;
	at: number;
}

export interface Receiver {
	url: string;
	received: Received[];
	stop: () => Promise<void>;
}

/** A server of the merchant's that takes deliveries; `status` says what the nth one is answered. */
export async function startReceiver(
	status: (count: number) => number = () => 200,
): Promise<Receiver> {
	const received: Received[] = [];
	const server = http.createServer((request, response) => {
		void bodyOf(request).then((body) => {
			const { method = '', url = '', headers, rawHeaders } = request;
			received.push({ method, url, headers, rawHeaders, body, at: Date.now() });
			response.statusCode = status(received.length);
			response.end('{"received":true}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
