import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	apiKeyCredential,
	cleanBaseUrl,
	cleanKey,
	cleanWebhookSecret,
	privateKeyCredential,
	readCredential,
} from '../../nodes/shared/credential';
import { ExactNumber } from '../../nodes/shared/exactJson';

describe('a base URL', () => {
	test.each([
		['https://api.shop.example/v1', 'https://api.shop.example/v1'],
		['https://api.shop.example/v1/', 'https://api.shop.example/v1'],
		['https://api.shop.example/v1///', 'https://api.shop.example/v1'],
		['  https://api.shop.example/v1\r\n', 'https://api.shop.example/v1'],
		['\ufeffhttps://api.shop.example', 'https://api.shop.example'],
		['https://api.shop.example', 'https://api.shop.example'],
		['https://api.shop.example/', 'https://api.shop.example'],
		['HTTPS://API.Shop.example/V1', 'https://api.shop.example/V1'],
		['http://localhost:8080/api', 'http://localhost:8080/api'],
		['http://[::1]:8080/api', 'http://[::1]:8080/api'],
		['https://bücher.example/a b'.replace(' ', '%20'), 'https://xn--bcher-kva.example/a%20b'],
		['https://api.shop.example:443/v1', 'https://api.shop.example/v1'],
		['https://api.shop.example/a/../b', 'https://api.shop.example/b'],
		['https://api.shop.example/v1/PaymentPages/Add', 'https://api.shop.example/v1'],
		['https://api.shop.example/PaymentPages/Add/', 'https://api.shop.example'],
	])('%j becomes %s', (pasted, clean) => {
		expect(cleanBaseUrl(pasted)).toBe(clean);
	});

	test.each([
		['', 'is empty'],
		['   ', 'is empty'],
		[undefined, 'is empty'],
		[17, 'is empty'],
		['api.shop.example/v1', 'must start with https://'],
		['//api.shop.example', 'must start with https://'],
		['ftp://api.shop.example', 'must start with https://'],
		['javascript:alert(1)', 'must start with https://'],
		['"https://api.shop.example"', 'must start with https://'],
		['https://', 'is not a complete URL'],
		['https://a b.example', 'is not a complete URL'],
		['https://api.shop.example/a b', 'is not a complete URL'],
		['https://api.shop.example/\u0000', 'is not a complete URL'],
		['https://api.shop.example:99999', 'is not a complete URL'],
		['https://user@api.shop.example', 'must not contain a user name or password'],
		['https://user:pw@api.shop.example', 'must not contain a user name or password'],
		['https://api.shop.example/?a=1', 'must not contain "?" or "#"'],
		['https://api.shop.example/#top', 'must not contain "?" or "#"'],
	])('%j is refused: %s', (pasted, problem) => {
		expect(() => cleanBaseUrl(pasted)).toThrow(`'Base URL' ${problem}`);
	});

	test('stays as it is when cleaned again, and takes a path behind it', () => {
		fc.assert(
			fc.property(fc.webUrl({ withQueryParameters: false }), (pasted) => {
				const clean = cleanBaseUrl(pasted);
				expect(cleanBaseUrl(clean)).toBe(clean);
				expect(clean).not.toMatch(/\/$/);
				expect(new URL(`${clean}/PaymentPages/Add`).href).toBe(`${clean}/PaymentPages/Add`);
			}),
		);
	});
});

describe('a key', () => {
	test.each(['key', ' key', 'key \n', '\r\n\tkey\r\n', '\u00a0key\ufeff'])(
		'%j is cleaned',
		(pasted) => {
			expect(cleanKey('Private Key', pasted)).toBe('key');
		},
	);

	test.each([
		['', 'is empty'],
		[' \n', 'is empty'],
		[undefined, 'is empty'],
		[17, 'is empty'],
		['one two', 'has a space or a line break in the middle'],
		['one\ntwo', 'has a space or a line break in the middle'],
		['one\r\nX-Header: two', 'has a space or a line break in the middle'],
		['one\u00a0two', 'has a space or a line break in the middle'],
		['one\u0000two', 'has a space or a line break in the middle'],
		['one\u007ftwo', 'has a space or a line break in the middle'],
		['“key”', 'has a character that no key has'],
		['key—1', 'has a character that no key has'],
		['ke\u200by', 'has a character that no key has'],
		['🔑', 'has a character that no key has'],
	])('%j is refused: %s', (pasted, problem) => {
		expect(() => cleanKey('Private Key', pasted)).toThrow(`Private Key ${problem}`);
	});

	test('that is accepted can stand in a header', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (pasted) => {
				let key: string;
				try {
					key = cleanKey('Private Key', pasted);
				} catch {
					return; // Refused keys are looked at above.
				}
				expect(new Headers({ Authorization: `Bearer ${key}` }).get('authorization')).toBe(
					`Bearer ${key}`,
				);
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('a webhook secret', () => {
	test.each([
		['', ''],
		[' \n', ''],
		[undefined, ''],
		[null, ''],
		['12345678', '12345678'],
		[' 12345678\n', '12345678'],
		['two words', 'two words'],
	])('%j becomes %j', (pasted, clean) => {
		expect(cleanWebhookSecret(pasted)).toBe(clean);
	});

	test.each(['1234567', ' 1234567 ', 's', '🔑🔑🔑🔑', 12345678, true, ['12345678']])(
		'%j is refused by name, and not repeated',
		(pasted) => {
			expect(() => cleanWebhookSecret(pasted)).toThrow(
				/^'Webhook Secret' must be text of at least 8 characters$/,
			);
		},
	);
});

describe('a credential', () => {
	const data = { baseUrl: ' https://a.example/ ', merchantId: ' 007 ', privateKey: ' pk ' };

	test('with the private key', () => {
		expect(readCredential(privateKeyCredential, data)).toEqual({
			name: privateKeyCredential,
			baseUrl: 'https://a.example',
			key: 'pk',
			merchantId: new ExactNumber('7'),
			webhookSecret: '',
			allowUnauthorizedCerts: false,
		});
	});

	test('with the API key', () => {
		const more = { apiKey: 'ak', webhookSecret: ' secret-8\n' };
		expect(readCredential(apiKeyCredential, { ...data, ...more })).toMatchObject({
			key: 'ak',
			webhookSecret: 'secret-8',
		});
	});

	test.each<[ICredentialDataDecryptedObject, string]>([
		[{ baseUrl: '' }, "'Base URL' is empty"],
		[{ privateKey: '' }, "'Private Key' is empty"],
		[{ merchantId: '' }, "'Merchant ID' is empty"],
		[{ merchantId: '1,000' }, "'Merchant ID' must contain only digits"],
	])('is refused for %j', (change, message) => {
		expect(() => readCredential(privateKeyCredential, { ...data, ...change })).toThrow(message);
	});

	test.each([
		[false, false],
		[true, true],
		['true', false],
		[1, false],
	])('with allowUnauthorizedCerts %j: %j', (allowUnauthorizedCerts, expected) => {
		const credential = readCredential(privateKeyCredential, { ...data, allowUnauthorizedCerts });
		expect(credential.allowUnauthorizedCerts).toBe(expected);
	});

	test('is refused when a field is missing altogether', () => {
		const { merchantId, ...rest } = data;
		expect(merchantId).toBeDefined();
		expect(() => readCredential(privateKeyCredential, rest)).toThrow("'Merchant ID' is empty");
	});
});

test.each([apiKeyCredential, privateKeyCredential] as const)(
	'a key pasted into the Merchant ID of %s is in no message',
	(name) => {
		const data = { baseUrl: 'https://api.shop.example', apiKey: 'a-key', privateKey: 'a-key' };
		for (const merchantId of ['sk-live-0123456789', { key: 'sk-live-0123456789' }, true]) {
			const read = () => readCredential(name, { ...data, merchantId });
			expect(read).toThrow(/^'Merchant ID' must contain only digits$/);
		}
	},
);
