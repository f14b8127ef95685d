import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sandboxCredentials } from '../../scripts/localN8n/credentials';
import type { CredentialTestResult } from '../../scripts/localN8n/types';
import { useSharedBed } from './support/sharedBed';

const bed = useSharedBed();
let website: Server;
let websiteUrl: string;

beforeAll(async () => {
	website = createServer((_, response) => {
		response.setHeader('Content-Type', 'text/html').end('<!doctype html><h1>Our shop</h1>');
	});
	await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
	websiteUrl = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
});

afterAll(() => website.close());

beforeEach(() => bed().sandbox.reset());

type Kind = 'paymentPagesPrivateKeyApi' | 'paymentPagesApiKeyApi';

/** Tests a stored credential through n8n's own endpoint, with some fields filled in differently. */
async function testCredential(
	kind: Kind,
	fields: Record<string, string> = {},
): Promise<CredentialTestResult> {
	const right = sandboxCredentials(bed().sandbox).find(({ type }) => type === kind);
	const stored = bed().credentials.find(({ type }) => type === kind);
	if (!right || !stored) throw new Error(`There is no credential of the type ${kind}.`);
	const changed = { ...right, data: { ...right.data, ...fields } };
	await bed().client.saveCredential(changed);
	return bed().client.testCredential(stored.id, changed);
}

describe('private key', () => {
	test('is green when the service accepts it, and changes nothing there', async () => {
		expect(await testCredential('paymentPagesPrivateKeyApi')).toEqual({
			status: 'OK',
			message: expect.stringContaining('accepts the private key'),
		});
		const { requests, pages, registration } = bed().sandbox.state;
		expect(requests.map(({ method, keyUsed }) => [method, keyUsed])).toEqual([
			['GET', 'privateKey'],
		]);
		expect(pages.size).toBe(0);
		expect(registration).toBeNull();
	});

	test('is green with a key and an address as people paste them', async () => {
		const { privateKey } = bed().sandbox.settings;
		const pasted = { privateKey: ` ${privateKey}\n`, baseUrl: ` ${bed().sandbox.baseUrl}// ` };
		expect(await testCredential('paymentPagesPrivateKeyApi', pasted)).toMatchObject({
			status: 'OK',
		});
	});

	test('is red for a wrong key, and does not show it', async () => {
		const result = await testCredential('paymentPagesPrivateKeyApi', {
			privateKey: 'no-such-key-4711',
		});
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/private key/i) });
		expect(result.message).not.toContain('4711');
	});

	test('is red for the API key, which opens other doors', async () => {
		const { apiKey } = bed().sandbox.settings;
		expect(await testCredential('paymentPagesPrivateKeyApi', { privateKey: apiKey })).toMatchObject(
			{
				status: 'Error',
			},
		);
	});

	test("is red for a web page's address, and says so without showing the page", async () => {
		const result = await testCredential('paymentPagesPrivateKeyApi', { baseUrl: websiteUrl });
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/web page/i) });
		expect(result.message).not.toContain('Our shop');
	});

	test('is red for an address without the path of the API', async () => {
		const result = await testCredential('paymentPagesPrivateKeyApi', {
			baseUrl: bed().sandbox.url,
		});
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/base url/i) });
	});

	test('is red when nothing listens at the address', async () => {
		const result = await testCredential('paymentPagesPrivateKeyApi', {
			baseUrl: 'http://127.0.0.1:9/api',
		});
		expect(result).toEqual({
			status: 'Error',
			message: expect.stringMatching(/nothing accepts connections/i),
		});
	});

	test('is red for any other code, and names it', async () => {
		bed().sandbox.configure({ faults: [{ endpoint: 'any', kind: 'wrongCode', code: '96' }] });
		const result = await testCredential('paymentPagesPrivateKeyApi');
		expect(result).toEqual({ status: 'Error', message: expect.stringContaining('96') });
	});

	test('is red for a code that only looks like 00', async () => {
		bed().sandbox.configure({ faults: [{ endpoint: 'any', kind: 'numericCode' }] });
		expect(await testCredential('paymentPagesPrivateKeyApi')).toMatchObject({ status: 'Error' });
	});

	test('is red for a merchant ID that is no number, and asks nobody', async () => {
		const result = await testCredential('paymentPagesPrivateKeyApi', { merchantId: '12a' });
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/merchant id/i) });
		expect(bed().sandbox.state.requests).toEqual([]);
	});
});

describe('API key', () => {
	test('is green when an API answers, says what was not checked, and registers nothing', async () => {
		expect(await testCredential('paymentPagesApiKeyApi')).toEqual({
			status: 'OK',
			message: expect.stringContaining('The API key was not checked'),
		});
		expect(bed().sandbox.state.registration).toBeNull();
		expect(bed().sandbox.state.requests.map(({ method }) => method)).toEqual(['GET']);
	});

	test("is red for a web page's address", async () => {
		const result = await testCredential('paymentPagesApiKeyApi', { baseUrl: websiteUrl });
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/web page/i) });
	});

	test('is red for a key with a line break inside', async () => {
		const result = await testCredential('paymentPagesApiKeyApi', { apiKey: 'sandbox\napi-key' });
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/api key/i) });
	});
});
