import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { LosslessNumber } from 'lossless-json';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { toExactJson } from '../../sandbox/exactJson';

/** HTTP as it is on the wire: Node's own client sends a path untouched and gives the raw text. */
export interface Answer {
	status: number;
	headers: http.IncomingHttpHeaders;
	text: string;
	/** The answer read as JSON; digits beyond 2^53 are to be looked at in `text`. */
	json: () => unknown;
}

/** Sends to a path of a server; rejects when the connection fails or is cut. */
export async function send(
	origin: string,
	path: string,
	{ method = 'GET', headers = {}, body }: http.RequestOptions & { body?: string } = {},
): Promise<Answer> {
	const message = await new Promise<http.IncomingMessage>((resolve, reject) => {
		const { hostname, port } = new URL(origin);
		const request = { hostname, port, path, method, headers, agent: false };
		http.request(request, resolve).on('error', reject).end(body);
	});
	const text = (await buffer(message)).toString();
	const { statusCode: status = 0 } = message;
	return { status, headers: message.headers, text, json: () => JSON.parse(text) as unknown };
}

export const paths = {
	create: '/api/PaymentPages/Add',
	update: '/api/PaymentPages/Update',
	validate: '/api/PaymentPages/ValidatePaymentPageLinkRefernce/',
	register: '/api/WebhookRegistration/RegisterWebhook',
};

/** A server of the merchant's that takes deliveries. */
export interface Receiver {
	url: string;
	received: Array<{ url: string; headers: http.IncomingHttpHeaders; raw: string[]; body: string }>;
	/** Says how the nth delivery is answered. */
	status: (count: number) => number;
}

async function startReceiver() {
	const server = http.createServer((request, response) => {
		void buffer(request).then((body) => {
			const { url = '', headers, rawHeaders: raw } = request;
			receiver.received.push({ url, headers, raw, body: body.toString() });
			response.statusCode = receiver.status(receiver.received.length);
			response.end('{"received":true}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const receiver: Receiver = { url, received: [], status: () => 200 };
	const stop = () => {
		server.closeAllConnections();
		return new Promise((resolve) => server.close(resolve));
	};
	return { receiver, stop };
}

/** One sandbox and one receiver for the file that calls it, both empty for each test. */
export function useSandbox(options: SandboxOptions = {}) {
	let sandbox: Sandbox;
	let started: Awaited<ReturnType<typeof startReceiver>>;

	beforeAll(async () => {
		[sandbox, started] = await Promise.all([startSandbox(options), startReceiver()]);
	});
	beforeEach(() => {
		Object.assign(started.receiver, { received: [], status: () => 200 });
	});
	afterEach(() => sandbox.reset());
	afterAll(async () => {
		await sandbox.stop();
		await started.stop();
	});

	/** A call of a POST endpoint with the key that it takes, or with another one. */
	async function post(
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

	/** The sandbox's merchant ID, exact in JSON. */
	const merchantId = () => new LosslessNumber(sandbox.settings.merchantId);

	return {
		get service() {
			return sandbox;
		},
		get receiver() {
			return started.receiver;
		},
		post,
		create: (fields: object = {}) =>
			post('create', { merchantId: merchantId(), pageName: 'Page', amount: '12.50', ...fields }),
		register: (webhookUrl: string, secret = 'hook secret') =>
			post('register', { webhookUrl, merchantId: merchantId(), secret }),
		/** Asks for a reference, which is sent as it stands. */
		validate: (encodedReference: string) =>
			send(sandbox.url, paths.validate + encodedReference, {
				headers: { authorization: `Bearer ${sandbox.settings.privateKey}` },
			}),
		/** Sends JSON to the sandbox's own API, or a form to its pages. */
		async submit(path: string, content: object | string): Promise<Answer> {
			const isForm = typeof content === 'string';
			const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
			const headers = { 'content-type': type };
			const body = isForm ? content : JSON.stringify(content);
			return send(sandbox.url, path, { method: 'POST', headers, body });
		},
		read: (path: string) => send(sandbox.url, path),
	};
}
