import type { INodeParameters } from 'n8n-workflow';

import { startAnsweringServer, type ServerAnswer } from '../support/answeringServer';
import { testCredential } from './harness/credentialTest';
import { anyRow, credentialsFor, existing, inTurn, operations, useSandbox } from './sandbox';
import { useTrigger } from './trigger/useTrigger';

/** Credentials as people paste them, with expressions, and what their tests say. */
const sandbox = useSandbox();

describe('a credential', () => {
	test('is cleaned of what pasting leaves', async () => {
		const baseUrl = ` ${sandbox.service.baseUrl.replace('http', 'HTTP')}/PaymentPages/Add/\n`;
		const privateKey = '\ufeff\r\n sandbox-private-key\n';
		await sandbox.run({ credential: { baseUrl, privateKey, merchantId: ' 00123\n' } });
		const headers = { authorization: 'Bearer sandbox-private-key' };
		expect(sandbox.requests).toMatchObject([{ url: '/api/PaymentPages/Add', headers }]);
		expect(String(sandbox.requests[0]?.body)).toContain('{"merchantId":123,');
	});

	const merchants = ['111', '222'];
	const rows = merchants.map((merchant) => ({ ...anyRow, merchant, key: `key-of-${merchant}` }));
	const credential = { merchantId: '={{ $json.merchant }}', privateKey: '={{ $json.key }}' };

	test('may have expressions: each item has its own key and merchant, and no key is shown', async () => {
		const { results, sent } = await sandbox.runAt(
			({ headers: { authorization } }) => ({
				body: `{"responseCode":"05","responseMessage":"no ${authorization}"}`,
			}),
			{ rows, parameters: inTurn, credential, settings: { onError: 'continueRegularOutput' } },
		);
		expect(sent.map(({ headers, body }) => `${headers.authorization} ${body}`)).toEqual([
			expect.stringMatching(/^Bearer key-of-111 .*"merchantId":111[,}]/),
			expect.stringMatching(/^Bearer key-of-222 .*"merchantId":222[,}]/),
		]);
		for (const { error, details } of results) {
			expect(error).toMatch(/^The service rejected the request: no .*\*\*\*/);
			expect(JSON.stringify([error, details])).not.toContain('key-of');
		}
	});

	test('of another merchant makes one reference two pages', async () => {
		let id = 0;
		const create = () => ({ body: `{"responseCode":"00","data":{"id":${++id}}}` });
		const { results } = await sandbox.runAt(
			({ method }) => (method === 'GET' ? existing(false) : create()),
			{ rows, parameters: operations.skip, credential },
		);
		expect(results).toMatchObject([{ id: 1 }, { id: 2 }]);
	});
});

const names = ['paymentPagesPrivateKeyApi', 'paymentPagesApiKeyApi'] as const;
type Name = (typeof names)[number];

describe('the test of a credential', () => {
	async function run(name: Name, change: INodeParameters = {}): Promise<string> {
		const credentials = credentialsFor(sandbox.service, change);
		const { status, message } = await testCredential(name, credentials);
		return `${status}: ${message}`;
	}

	test('ends in words when n8n hands over no fields', async () => {
		const { message } = await testCredential('paymentPagesApiKeyApi', {
			paymentPagesApiKeyApi: null as never,
		});
		expect(message).toBe("The test stopped unexpectedly; see n8n's log.");
	});

	/** What it says when the service gives one certain answer. */
	async function runAt(name: Name, answer: ServerAnswer, change: INodeParameters = {}) {
		const server = await startAnsweringServer(() => answer);
		const result = await run(name, { baseUrl: server.baseUrl, ...change });
		expect(server.requests).toHaveLength(1);
		await server.stop();
		return result;
	}

	test('asks for another reference each time, which no page can have', async () => {
		for (const name of [...names, ...names]) await run(name);
		const url = /\/api\/PaymentPages\/ValidatePaymentPageLinkRefernce\/n8n-credential-test-[\w-]+$/;
		for (const request of sandbox.requests)
			expect(request).toMatchObject({ method: 'GET', url: expect.stringMatching(url) });
		expect(new Set(sandbox.requests.map((request) => request.url)).size).toBe(4);
		expect(sandbox.requests[0]).toMatchObject({ keyUsed: 'privateKey', status: 200 });
	});

	const html = { 'content-type': 'text/html' };
	const notOurs = /^Error: .*not one of this interface/;

	/** What the test of the private key says; that of the API key asks whether an API answers. */
	test.each<[ServerAnswer, RegExp, isGreenForApiKey?: false]>([
		[existing(false), /^OK: .*accepts the private key/],
		[{ status: 401, body: '{"responseCode":"63"}' }, /^Error: .*does not accept the key/],
		[{ status: 403 }, /^Error: .*does not allow this/],
		[{ body: '{"responseCode":0}' }, notOurs],
		[{ status: 500, ...existing(false) }, /^Error: .*HTTP 500/],
		[{ headers: html, body: '<html>Hi</html>' }, /^Error: .*returned a web page/, false],
		[{ status: 401, body: '<!doctype html><html></html>' }, /^Error: .*the key/, false],
		[{ status: 404, body: '<html></html>' }, /^Error: Nothing is at http/, false],
		[{}, /^Error: The service returned an empty response/, false],
		[{ body: '[]' }, notOurs, false],
	])('of %j says %s', async (answer, sentence, ...[isGreenForApiKey]) => {
		const ofPrivateKey = await runAt('paymentPagesPrivateKeyApi', answer);
		expect(ofPrivateKey).toMatch(sentence);
		expect(ofPrivateKey).toMatch(/\. [A-Z].*\.$/);
		const ofApiKey = await runAt('paymentPagesApiKeyApi', answer);
		expect(ofApiKey).toMatch(
			isGreenForApiKey === false ? /^Error: .*correct 'Base URL'/ : /^OK: .*key was not checked/,
		);
	});

	test.each<[INodeParameters, RegExp, ...Name[]]>([
		[{ privateKey: '', apiKey: '' }, /^Error: '(Private|API) Key' is empty/, ...names],
		[{ merchantId: '12a' }, /^Error: 'Merchant ID' must contain only digits/, ...names],
		[{ webhookSecret: ' 1234567 ' }, /^Error: 'Webhook Secret' must be .* empty/, names[1]],
	])('is red with %j, and asks nobody: %s', async (change, sentence, ...of) => {
		for (const name of of) {
			const result = await run(name, change);
			expect(result).toMatch(sentence);
			expect(result).not.toContain('1234567');
		}
		expect(sandbox.requests).toEqual([]);
	});

	test('never shows the key, also when the service repeats it', async () => {
		const privateKey = 'canary-key-0123456789';
		const body = `{"responseCode":"05","responseMessage":"Key ${privateKey} is wrong"}`;
		const result = await runAt(names[0], { status: 400, body }, { privateKey });
		expect(result).toContain('Key *** is wrong');
	});
});

const trigger = useTrigger();

test('publishing a trigger is rejected with a short secret, and registers nothing', async () => {
	trigger.saveCredential({ webhookSecret: 'short' });
	await expect(trigger.published()).rejects.toThrow(
		/'Webhook Secret' must be text of at least 8 characters\. Enter a longer one/,
	);
	expect(trigger.service.state.requests).toEqual([]);
});
