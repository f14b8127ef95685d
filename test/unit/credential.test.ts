import fc from 'fast-check';

import {
	apiKeyCredential,
	cleanBaseUrl,
	cleanKey,
	cleanWebhookSecret,
	privateKeyCredential,
	readCredential,
} from '../../nodes/shared/credential';
import { ExactNumber } from '../../nodes/shared/exactJson';

/** Fields of credentials as people paste them; a field that is rejected is named, and not repeated. */

test.each([
	['https://api.shop.example/v1///', 'https://api.shop.example/v1'],
	['  https://api.shop.example/v1\r\n', 'https://api.shop.example/v1'],
	['\ufeffhttps://api.shop.example', 'https://api.shop.example'],
	['HTTPS://API.Shop.example/V1', 'https://api.shop.example/V1'],
	['http://localhost:8080/api', 'http://localhost:8080/api'],
	['http://[::1]:8080/api', 'http://[::1]:8080/api'],
	['https://bücher.example/a%20b', 'https://xn--bcher-kva.example/a%20b'],
	['https://api.shop.example:443/v1', 'https://api.shop.example/v1'],
	['https://api.shop.example/a/../b', 'https://api.shop.example/b'],
	['https://api.shop.example/v1/PaymentPages/Add', 'https://api.shop.example/v1'],
	['https://api.shop.example/PaymentPages/Add/', 'https://api.shop.example'],
])('the base URL %j becomes %s', (pasted, clean) => {
	expect(cleanBaseUrl(pasted)).toBe(clean);
});

test.each([
	[['', '   ', undefined, 17], 'is empty'],
	[
		['api.shop.example/v1', '//a.example', 'ftp://a.example', 'javascript:alert(1)'],
		'must start with',
	],
	[['"https://api.shop.example"'], 'must start with'],
	[['https://', 'https://a b.example', 'https://a.example/a b'], 'is not a complete URL'],
	[['https://a.example/\u0000', 'https://a.example:99999'], 'is not a complete URL'],
	[['https://user@a.example', 'https://user:pw@a.example'], 'must not contain a user name'],
	[['https://a.example/?a=1', 'https://a.example/#top'], 'must not contain "?" or "#"'],
])('the base URLs %j are rejected: %s', (pasted, problem) => {
	for (const one of pasted) expect(() => cleanBaseUrl(one)).toThrow(`'Base URL' ${problem}`);
});

test('a base URL stays as it is when cleaned again, and takes a path behind it', () => {
	fc.assert(
		fc.property(fc.webUrl({ withQueryParameters: false }), (pasted) => {
			const clean = cleanBaseUrl(pasted);
			expect(cleanBaseUrl(clean)).toBe(clean);
			expect(clean).not.toMatch(/\/$/);
			expect(new URL(`${clean}/PaymentPages/Add`).href).toBe(`${clean}/PaymentPages/Add`);
		}),
	);
});

test.each([
	[['', ' \n', undefined, 17], 'is empty'],
	[['a b', 'a\nb', 'a\r\nX: b', 'a\u00a0b', 'a\u0000b', 'a\u007fb'], 'has a space or a line break'],
	[['“key”', 'key—1', 'ke\u200by', '🔑'], 'has a character that no key has'],
])('the keys %j are rejected: %s', (pasted, problem) => {
	for (const one of pasted)
		expect(() => cleanKey('Private Key', one)).toThrow(`Private Key ${problem}`);
});

test('a key that is accepted can stand in a header', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (pasted) => {
			let key: string;
			try {
				key = cleanKey('Private Key', pasted);
			} catch {
				return; // Rejected keys are looked at above.
			}
			const headers = new Headers({ Authorization: `Bearer ${key}` });
			expect(headers.get('authorization')).toBe(`Bearer ${key}`);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	[['', ' \n', undefined, null], ''],
	[['12345678', ' 12345678\n'], '12345678'],
	[['two words'], 'two words'],
	[['1234567', ' 1234567 ', '🔑🔑🔑🔑', 12345678, true, ['12345678']], undefined],
])('the webhook secrets %j become %j', (pasted, clean) => {
	const rejection = /^'Webhook Secret' must be text of at least 8 characters$/;
	for (const one of pasted) {
		if (clean === undefined) expect(() => cleanWebhookSecret(one)).toThrow(rejection);
		else expect(cleanWebhookSecret(one)).toBe(clean);
	}
});

const data = { baseUrl: ' https://a.example/ ', merchantId: ' 007 ', privateKey: ' pk ' };

test('a credential is cleaned as a whole', () => {
	expect(readCredential(privateKeyCredential, data)).toEqual({
		name: privateKeyCredential,
		baseUrl: 'https://a.example',
		key: 'pk',
		merchantId: new ExactNumber('7'),
		webhookSecret: '',
		allowUnauthorizedCerts: false,
	});
	const more = { apiKey: 'ak', webhookSecret: ' secret-8\n', allowUnauthorizedCerts: true };
	expect(readCredential(apiKeyCredential, { ...data, ...more })).toMatchObject({
		key: 'ak',
		webhookSecret: 'secret-8',
		allowUnauthorizedCerts: true,
	});
});

test.each<[object, string | RegExp]>([
	[{ baseUrl: '' }, "'Base URL' is empty"],
	[{ privateKey: '' }, "'Private Key' is empty"],
	[{ merchantId: undefined }, "'Merchant ID' is empty"],
	// A key that was pasted there is in no message.
	...['sk-live-0123456789', { key: 'sk-live-0123456789' }, true, '1,000'].map(
		(merchantId): [object, RegExp] => [{ merchantId }, /^'Merchant ID' must contain only digits$/],
	),
])('a credential is rejected for %j', (change, message) => {
	expect(() => readCredential(privateKeyCredential, { ...data, ...change } as never)).toThrow(
		message,
	);
});

test.each(['true', 1])('Ignore SSL Issues is off for %j', (allowUnauthorizedCerts) => {
	const credential = readCredential(privateKeyCredential, { ...data, allowUnauthorizedCerts });
	expect(credential.allowUnauthorizedCerts).toBe(false);
});
