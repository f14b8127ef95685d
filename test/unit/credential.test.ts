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

const key = (value: unknown) => cleanKey('Private Key', value);

test.each<[string, (value: unknown) => unknown, unknown[]]>([
	["'Base URL' is empty", cleanBaseUrl, ['', '   ', undefined, 17]],
	["'Base URL' must start with", cleanBaseUrl, ['a.example/v1', '//a.example', 'ftp://a.example']],
	["'Base URL' must start with", cleanBaseUrl, ['javascript:alert(1)', '"https://a.example"']],
	["'Base URL' is not a complete URL", cleanBaseUrl, ['https://', 'https://a b.example']],
	["'Base URL' is not a complete URL", cleanBaseUrl, ['https://a.example/a b']],
	["'Base URL' is not a complete URL", cleanBaseUrl, ['https://a.example/\0', 'https://a:99999']],
	["'Base URL' must not contain a user name", cleanBaseUrl, ['https://a@b.c', 'https://a:b@c.d']],
	[
		'\'Base URL\' must not contain "?" or "#"',
		cleanBaseUrl,
		['https://a.b/?a=1', 'https://a.b/#c'],
	],
	['Private Key is empty', key, ['', ' \n', undefined, 17]],
	['Private Key has a space or a line break', key, ['a b', 'a\nb', 'a\r\nX: b', 'a\u00a0b']],
	['Private Key has a space or a line break', key, ['a\u0000b', 'a\u007fb']],
	['Private Key has a character that no key has', key, ['“key”', 'key—1', 'ke\u200by', '🔑']],
])('%s: so it is with %p and %j', (problem, clean, pasted) => {
	for (const one of pasted) expect(() => clean(one)).toThrow(problem);
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

test('a key that is accepted can stand in a header', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (pasted) => {
			let clean: string;
			try {
				clean = key(pasted);
			} catch {
				return; // Rejected keys are looked at above.
			}
			const headers = new Headers({ Authorization: `Bearer ${clean}` });
			expect(headers.get('authorization')).toBe(`Bearer ${clean}`);
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
const read = (change: object) => readCredential(privateKeyCredential, { ...data, ...change });

test('a credential is cleaned as a whole', () => {
	const clean = {
		name: privateKeyCredential,
		baseUrl: 'https://a.example',
		key: 'pk',
		merchantId: new ExactNumber('7'),
		webhookSecret: '',
		allowUnauthorizedCerts: false,
	};
	expect(read({})).toEqual(clean);
	for (const allowUnauthorizedCerts of ['true', 1])
		expect(read({ allowUnauthorizedCerts })).toEqual(clean);
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
	expect(() => read(change)).toThrow(message);
});
