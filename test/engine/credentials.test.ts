import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { startAnsweringServer, type ServerAnswer } from '../support/answeringServer';
import { testCredential } from './harness/credentialTest';
import {
	anyRow,
	automatic,
	credentialsFor,
	existing,
	operations,
	useSandbox,
	type CredentialChange,
} from './sandbox';
import { useTrigger } from './trigger/useTrigger';

/** Credentials as people paste them, with expressions, and what their tests say. */
const sandbox = useSandbox();

describe('a credential', () => {
	test.each<[CredentialChange, string, string]>([
		[{ baseUrl: '  http://127.0.0.1:PORT/api/\n' }, '/api/PaymentPages/Add', ''],
		[{ baseUrl: 'HTTP://127.0.0.1:PORT/api///' }, '/api/PaymentPages/Add', ''],
		[{ baseUrl: 'http://127.0.0.1:PORT/api/PaymentPages/Add/' }, '/api/PaymentPages/Add', ''],
		[{ privateKey: '\ufeff\r\n sandbox-private-key\n' }, '/api/PaymentPages/Add', ''],
		[{ merchantId: '9223372036854775807' }, '/api/PaymentPages/Add', '9223372036854775807'],
		[{ merchantId: ' 00123\n' }, '/api/PaymentPages/Add', '123'],
	])('is cleaned: %j', async (change, url, merchantId) => {
		const { port } = new URL(sandbox.service.url);
		const baseUrl = change.baseUrl?.replace('PORT', port) ?? sandbox.service.baseUrl;
		await sandbox.run({ parameters: { pageName: 'A' }, credential: { ...change, baseUrl } });
		const [request] = sandbox.requests;
		expect(request).toMatchObject({
			url,
			headers: { authorization: 'Bearer sandbox-private-key' },
		});
		expect(request?.body.toString()).toContain(`{"merchantId":${merchantId || '100'}`);
	});

	test.each<[string, CredentialChange]>([
		['Base URL', { baseUrl: '127.0.0.1/api' }],
		['Private Key', { privateKey: 'first\r\nX-Evil: 1' }],
		['Merchant ID', { merchantId: '12a' }],
		['API Key', { apiKey: 'a\nb' }],
	])('is rejected as %s before anything is sent: %j', async (field, credential) => {
		const parameters = field === 'API Key' ? operations.register : operations.create;
		const rows = [anyRow, { ...anyRow, pageName: '2' }];
		const { run, error } = await sandbox.run({ rows, parameters, credential });
		expect(error?.message).toMatch(new RegExp(`^'${field}' `));
		// What is rejected is not repeated.
		expect(
			JSON.stringify([error?.message, error?.description, run.data.resultData.error]),
		).not.toMatch(/X-Evil/);
		expect(sandbox.requests).toEqual([]);
	});

	const rows = ['111', '222'].map((merchant) => ({
		...anyRow,
		merchant,
		key: `key-of-${merchant}`,
	}));
	const credential = { merchantId: '={{ $json.merchant }}', privateKey: '={{ $json.key }}' };

	test('may have expressions: each item has its own key and merchant, and no key is shown', async () => {
		const { output, sent } = await sandbox.runAt(
			({ method, headers }) =>
				method === 'GET'
					? existing(false)
					: { body: `{"responseCode":"05","responseMessage":"no ${headers.authorization}"}` },
			{
				rows,
				parameters: automatic('create', { ifReferenceExists: 'skip', maxParallelRequests: 1 }),
				credential,
				settings: { onError: 'continueRegularOutput' },
			},
		);
		const posts = sent.filter(({ method }) => method === 'POST');
		expect(posts.map(({ headers, body }) => `${headers.authorization} ${body}`)).toEqual([
			expect.stringMatching(/^Bearer key-of-111 .*"merchantId":111[,}]/),
			expect.stringMatching(/^Bearer key-of-222 .*"merchantId":222[,}]/),
		]);
		for (const { json } of output) {
			expect(json.error).toMatch(/^The service rejected the request: no .*\*\*\*/);
			expect(JSON.stringify([json.error, json.details])).not.toContain('key-of');
		}
	});

	test('of another merchant makes one reference two pages', async () => {
		let id = 0;
		const { output } = await sandbox.runAt(
			({ method }) =>
				method === 'GET'
					? existing(false)
					: { body: `{"responseCode":"00","data":{"id":${++id}}}` },
			{ rows, parameters: operations.skip, credential },
		);
		expect(output.map(({ json }) => json.id)).toEqual([1, 2]);
	});
});

const names = ['paymentPagesPrivateKeyApi', 'paymentPagesApiKeyApi'] as const;
type Name = (typeof names)[number];

describe('the test of a credential', () => {
	async function run(name: Name, change: CredentialChange = {}) {
		const { [name]: data } = credentialsFor(sandbox.service, change);
		return await testCredential(name, data as ICredentialDataDecryptedObject);
	}

	/** What it says when the service gives one certain answer. */
	async function runAt(name: Name, answer: ServerAnswer, change: CredentialChange = {}) {
		const server = await startAnsweringServer(() => answer);
		const result = await run(name, { baseUrl: server.baseUrl, ...change });
		expect(server.requests).toHaveLength(1);
		await server.stop();
		return result;
	}

	test('is green when the service carries out a call with the private key', async () => {
		const { status, message } = await run('paymentPagesPrivateKeyApi');
		expect([status, message]).toEqual(['OK', expect.stringMatching(/accepts the private key/)]);
		expect(sandbox.requests).toMatchObject([{ method: 'GET', keyUsed: 'privateKey', status: 200 }]);
		await run('paymentPagesPrivateKeyApi');
		const [first, second] = sandbox.requests.map(({ url }) => url);
		// Another reference each time, which no page can have.
		expect(first).toMatch(/ValidatePaymentPageLinkRefernce\/n8n-credential-test-[\w-]+$/);
		expect(second).not.toBe(first);
	});

	test('is green when an API answers for the API key, says so, and registers nothing', async () => {
		const { status, message } = await run('paymentPagesApiKeyApi', { webhookSecret: '' });
		expect([status, message]).toEqual(['OK', expect.stringMatching(/API key was not checked/)]);
		expect(sandbox.methods).toEqual(['GET']);
		expect(sandbox.service.state.registration).toBeNull();
	});

	const html = { 'content-type': 'text/html' };

	/** What the test of the private key says; that of the API key asks whether an API answers. */
	test.each<[string, ServerAnswer, RegExp | null, isGreenForApiKey: boolean]>([
		['an envelope', existing(false), null, true],
		[
			'a rejected key',
			{ status: 401, body: '{"responseCode":"63"}' },
			/does not accept the key/,
			true,
		],
		['a key without the right', { status: 403 }, /does not allow this/, true],
		[
			'another code',
			{ body: '{"responseCode":"05"}' },
			/rejected the request with code "05"/,
			true,
		],
		['a number as code', { body: '{"responseCode":0}' }, /not one of this interface/, true],
		['a web page', { headers: html, body: '<html>Hi</html>' }, /returned a web page/, false],
		['a login page', { status: 401, body: '<!doctype html><html></html>' }, /the key/, false],
		['a wrong address', { status: 404, body: '<html></html>' }, /^Nothing is at http/, false],
		['an HTTP error', { status: 500, ...existing(false) }, /HTTP 500/, true],
		['a redirect', { status: 302, headers: { location: '/in' } }, /redirected the request/, false],
		['nothing', {}, /^The service returned an empty response/, false],
		['invalid JSON', { body: '{"responseCode":"00"' }, /returned invalid JSON/, false],
		['a list', { body: '[]' }, /not one of this interface/, false],
	])('of %s', async (_what, answer, sentence, isGreenForApiKey) => {
		const ofPrivateKey = await runAt('paymentPagesPrivateKeyApi', answer);
		if (sentence === null) expect(ofPrivateKey.status).toBe('OK');
		else {
			expect(ofPrivateKey.status).toBe('Error');
			expect(ofPrivateKey.message).toMatch(sentence);
			expect(ofPrivateKey.message).toMatch(/\. [A-Z].*\.$/);
		}
		const ofApiKey = await runAt('paymentPagesApiKeyApi', answer);
		expect(ofApiKey.status).toBe(isGreenForApiKey ? 'OK' : 'Error');
		if (!isGreenForApiKey) expect(ofApiKey.message).toMatch(/correct 'Base URL'/);
	});

	test.each<[Name, CredentialChange, RegExp]>([
		...names.flatMap(
			(name): Array<[Name, CredentialChange, RegExp]> => [
				[name, { baseUrl: 'api.shop.example' }, /^'Base URL' must start with https/],
				[name, { privateKey: '', apiKey: '' }, /^'(Private|API) Key' is empty/],
				[name, { merchantId: '12a' }, /^'Merchant ID' must contain only digits/],
			],
		),
		['paymentPagesApiKeyApi', { webhookSecret: ' 1234567 ' }, /^'Webhook Secret' must be .* empty/],
	])('is red for %s with %j, and asks nobody', async (name, change, sentence) => {
		const { status, message } = await run(name, change);
		expect([status, message]).toEqual(['Error', expect.stringMatching(sentence)]);
		expect(message).not.toContain('1234567');
		expect(sandbox.requests).toEqual([]);
	});

	test.each(names)('is red for %s when nobody answers', async (name) => {
		const server = await startAnsweringServer(() => ({}));
		await server.stop();
		const { status, message } = await run(name, { baseUrl: server.baseUrl });
		expect([status, message]).toEqual([
			'Error',
			expect.stringMatching(/^Nothing accepts connections at the Base URL\. Check/),
		]);
	});

	test.each(names)('of %s never shows the key, also when the service repeats it', async (name) => {
		const key = 'canary-key-0123456789';
		const body = JSON.stringify({ responseCode: '05', responseMessage: `Key ${key} is wrong` });
		const change = { privateKey: key, apiKey: key };
		const result = await runAt(name, { status: 400, body }, change);
		expect(result.message).toMatch(/\*\*\*|not checked/);
		expect(JSON.stringify(result)).not.toContain(key);
	});
});

describe('publishing a trigger', () => {
	const trigger = useTrigger();

	test('is rejected with a short secret, and registers nothing', async () => {
		const { paymentPagesApiKeyApi } = credentialsFor(trigger.service, { webhookSecret: 'short' });
		trigger.n8n.credentials.set('api key', { ...paymentPagesApiKeyApi });
		await expect(trigger.workflow().publish()).rejects.toThrow(
			/'Webhook Secret' must be text of at least 8 characters\. Enter a longer one/,
		);
		expect(trigger.service.state.requests).toEqual([]);
	});
});
