import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import type { CredentialName } from '../../nodes/shared/credential';
import { startAnsweringServer, type ServerAnswer } from './answeringServer';
import { testCredential } from './harness/credentialTest';
import { useSandbox } from './sandbox';

/** Green says only what was checked; red says in one sentence what is wrong. */
const sandbox = useSandbox();

const names: CredentialName[] = ['paymentPagesPrivateKeyApi', 'paymentPagesApiKeyApi'];

async function run(
	name: CredentialName,
	change: ICredentialDataDecryptedObject = {},
): Promise<INodeCredentialTestResult> {
	const { baseUrl, settings } = sandbox.service;
	const { merchantId, privateKey, apiKey } = settings;
	return await testCredential(name, { baseUrl, merchantId, privateKey, apiKey, ...change });
}

/** What the test says when the service gives one certain answer. */
async function runWithAnswer(
	name: CredentialName,
	answer: ServerAnswer,
): Promise<INodeCredentialTestResult> {
	const server = await startAnsweringServer(() => answer);
	const result = await run(name, { baseUrl: server.baseUrl });
	expect(server.requests).toHaveLength(1);
	await server.stop();
	return result;
}

const isValid = '{"responseCode":"00","responseMessage":"ok","data":{"isValid":false}}';

describe('the private key', () => {
	const [name] = names as [CredentialName];

	test('is green when the service carries out a call with it', async () => {
		const result = await run(name, { privateKey: `  ${sandbox.service.settings.privateKey}\n` });
		expect(result.status).toBe('OK');
		expect(result.message).toMatch(/accepts the private key/);
		const [request] = sandbox.requests;
		expect(sandbox.requests).toHaveLength(1);
		expect(request).toMatchObject({ method: 'GET', keyUsed: 'privateKey', status: 200 });
		expect(request?.url).toMatch(
			/^\/api\/PaymentPages\/ValidatePaymentPageLinkRefernce\/n8n-credential-test-/,
		);
	});

	test('asks for another reference each time, which no page can have', async () => {
		await run(name);
		await run(name);
		expect(sandbox.requests[0]?.url).not.toBe(sandbox.requests[1]?.url);
	});

	test('is red when it is the API key', async () => {
		const { status, message } = await run(name, { privateKey: sandbox.service.settings.apiKey });
		expect(status).toBe('Error');
		expect(message).toMatch(/^The service does not accept the key \(HTTP 401\): Unauthorized/);
	});

	test.each<[string, ServerAnswer, RegExp]>([
		['a web page', { body: '<html>Hi</html>' }, /^The service returned a web page/],
		['an address without the path', { status: 404, body: '{}' }, /^Nothing is at http/],
		['an error page', { status: 404, body: '<html></html>' }, /^Nothing is at http/],
		[
			'another code',
			{ body: '{"responseCode":"05"}' },
			/^The service rejected the request with code "05"/,
		],
		['a code that is a number', { body: '{"responseCode":0}' }, /not one of this interface/],
		['no code', { body: '{"data":{"isValid":true}}' }, /not one of this interface/],
		['an HTTP error', { status: 500, body: isValid }, /HTTP 500/],
		[
			'a redirect',
			{ status: 302, headers: { location: '/login' } },
			/redirected the request to http:/,
		],
		['nothing', {}, /^The service returned an empty response/],
		['invalid JSON', { body: '{"responseCode":"00"' }, /^The service returned invalid JSON/],
	])('is red for %s', async (_what, answer, sentence) => {
		const { status, message } = await runWithAnswer(name, answer);
		expect(status).toBe('Error');
		expect(message).toMatch(sentence);
		expect(message).toMatch(/\. [A-Z].*\.$/);
	});
});

describe('the API key', () => {
	const [, name] = names as [CredentialName, CredentialName];

	test('is green when an API answers, says what it did not check, and registers nothing', async () => {
		const { status, message } = await run(name);
		expect(status).toBe('OK');
		expect(message).toMatch(/The API key was not checked/);
		expect(sandbox.requests).toHaveLength(1);
		expect(sandbox.requests[0]?.method).toBe('GET');
		expect(sandbox.service.state.registration).toBeNull();
	});

	test.each([['short'], [' 1234567 ']])('is red with the secret %j', async (webhookSecret) => {
		const { status, message } = await run(name, { webhookSecret });
		expect(status).toBe('Error');
		expect(message).toMatch(/^'Webhook Secret' must be text of at least 8 characters\. .* empty/);
		expect(message).not.toContain(webhookSecret.trim());
		expect(sandbox.requests).toEqual([]);
	});

	test.each<[string, ServerAnswer]>([
		['an envelope', { body: isValid }],
		['a refusal of the key in words', { status: 401, body: '{"responseCode":"63"}' }],
		['a refusal of the key without words', { status: 403 }],
	])('is green for %s', async (_what, answer) => {
		expect((await runWithAnswer(name, answer)).status).toBe('OK');
	});

	test.each<[string, ServerAnswer]>([
		['a web page', { headers: { 'content-type': 'text/html' }, body: '<html>Hi</html>' }],
		['a login page', { status: 401, body: '<!doctype html><html>Log in</html>' }],
		['nothing', {}],
		['invalid JSON', { body: '{' }],
		['a list', { body: '[]' }],
	])('is red for %s', async (_what, answer) => {
		const { status, message } = await runWithAnswer(name, answer);
		expect(status).toBe('Error');
		expect(message).toMatch(/correct 'Base URL'/);
	});
});

describe.each(names)('%s', (name) => {
	test.each<[ICredentialDataDecryptedObject, RegExp]>([
		[{ baseUrl: '' }, /^'Base URL' is empty/],
		[{ baseUrl: 'api.shop.example' }, /^'Base URL' must start with https/],
		[{ privateKey: 'a\nb', apiKey: 'a\nb' }, /^'(Private|API) Key' has a space or a line break/],
		[{ privateKey: '', apiKey: '' }, /^'(Private|API) Key' is empty/],
		[{ merchantId: '' }, /^'Merchant ID' is empty/],
		[{ merchantId: '12a' }, /^'Merchant ID' must contain only digits/],
	])('is red for %j, and asks nobody', async (change, sentence) => {
		const { status, message } = await run(name, change);
		expect(status).toBe('Error');
		expect(message).toMatch(sentence);
		expect(sandbox.requests).toEqual([]);
	});

	test('is red when nobody answers', async () => {
		const server = await startAnsweringServer(() => ({}));
		await server.stop();
		const { status, message } = await run(name, { baseUrl: server.baseUrl });
		expect(status).toBe('Error');
		expect(message).toMatch(/^Nothing accepts connections at the Base URL\. Check/);
	});

	test('never shows the key, also when the service repeats it', async () => {
		const key = 'canary-key-0123456789';
		const body = JSON.stringify({ responseCode: '05', responseMessage: `Key ${key} is wrong` });
		const server = await startAnsweringServer(() => ({ status: 400, body }));
		const change = { baseUrl: server.baseUrl, privateKey: key, apiKey: key };
		const result = await run(name, change);
		await server.stop();
		expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
		expect(JSON.stringify(result)).not.toContain(key);
	});
});
