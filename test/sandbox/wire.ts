import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { type AnsweringServer, startAnsweringServer } from '../support/answeringServer';
import { type Answer, send } from '../support/request';

export const paths = {
	create: '/PaymentPages/Add',
	update: '/PaymentPages/Update',
	validate: '/PaymentPages/ValidatePaymentPageLinkRefernce/',
	register: '/WebhookRegistration/RegisterWebhook',
};

/** An answer read as JSON; digits beyond 2^53 are to be looked at in the text. */
export function json({ text }: Answer): unknown {
	return JSON.parse(text);
}

/** One sandbox and one server of the merchant's for the file that calls it, empty for each test. */
export function useSandbox(options: SandboxOptions = {}) {
	let service: Sandbox;
	let receiver: AnsweringServer;
	/** How the next deliveries are answered; those after them with 200. */
	const statuses: number[] = [];

	beforeAll(async () => {
		service = await startSandbox(options);
		receiver = await startAnsweringServer(() => ({ status: statuses.shift() ?? 200 }));
	});
	afterEach(async () => {
		await service.reset();
		receiver.requests.length = statuses.length = 0;
	});
	afterAll(() => Promise.all([service.stop(), receiver.stop()]));

	/** Sends JSON to an endpoint, with the key that it takes. */
	async function post(endpoint: 'create' | 'update' | 'register', body: object | string) {
		const { privateKey, apiKey } = service.settings;
		const authorization = `Bearer ${endpoint === 'register' ? apiKey : privateKey}`;
		return send(service.baseUrl + paths[endpoint], {
			headers: { authorization, 'content-type': 'application/json' },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	}

	return {
		statuses,
		get service() {
			return service;
		},
		get receiver() {
			return receiver;
		},
		post,
		create: (fields: object = {}) =>
			post('create', { pageName: 'Page', amount: '12.50', ...fields }),
		register: (webhookUrl: string, secret = 'hook secret') =>
			post('register', { webhookUrl, secret }),
		/** Asks for a reference, which is sent as it stands. */
		validate(encodedReference: string) {
			const headers = { authorization: `Bearer ${service.settings.privateKey}` };
			const url = service.baseUrl + paths.validate + encodedReference;
			return send(url, { method: 'GET', headers });
		},
		/** Sends JSON to the sandbox's own API. */
		submit: (path: string, content: object) =>
			send(`${service.url}/sandbox/${path}`, {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(content),
			}),
		read: (path: string) => send(service.url + path, { method: 'GET' }),
	};
}
