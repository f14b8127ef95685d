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

const key = (value: unknown) => cleanKey('Private Key', value);

const shop = 'https://api.shop.example';

test.each<[clean: string, read: (value: unknown) => string, pasted: unknown[]]>([
	[`${shop}/v1`, cleanBaseUrl, [`${shop}/v1///`, `  ${shop}/v1\r\n`, `${shop}:443/v1`]],
	[`${shop}/v1`, cleanBaseUrl, [`${shop}/v1/PaymentPages/Add`, `${shop}/a/../v1`]],
	[shop, cleanBaseUrl, [`\ufeff${shop}`, `${shop}/PaymentPages/Add/`, 'HTTPS://API.Shop.example']],
	[`${shop}/V1`, cleanBaseUrl, [`${shop}/V1`]],
	['http://localhost:8080/api', cleanBaseUrl, ['http://localhost:8080/api']],
	['http://[::1]:8080/api', cleanBaseUrl, ['http://[::1]:8080/api']],
	['https://xn--bcher-kva.example/a%20b', cleanBaseUrl, ['https://bücher.example/a%20b']],
	['', cleanWebhookSecret, ['', ' \n', undefined, null]],
	['two word', cleanWebhookSecret, ['two word', ' two word\n']],
])('%j is what %p makes of %j', (clean, read, pasted) => {
	for (const one of pasted) expect(read(one)).toBe(clean);
});

const shortSecret = /^'Webhook Secret' must be text of at least 8 characters$/;

test.each<[problem: string | RegExp, read: (value: unknown) => string, pasted: unknown[]]>([
	["'Base URL' is empty", cleanBaseUrl, ['', '   ', undefined, 17]],
	["'Base URL' must start with", cleanBaseUrl, ['//a.example', 'ftp://a.example', '"https://a.b"']],
	["'Base URL' is not a complete URL", cleanBaseUrl, ['https://', 'https://a.b/c d']],
	["'Base URL' is not a complete URL", cleanBaseUrl, ['https://a.b/\0', 'https://a:99999']],
	["'Base URL' must not contain a user name", cleanBaseUrl, ['https://a@b.c', 'https://:b@c.d']],
	[/^'Base URL' must not contain "\?" or/, cleanBaseUrl, ['https://a.b/?a=1', 'https://a.b/#c']],
	['Private Key is empty', key, ['', ' \n', undefined, 17]],
	['Private Key has a space or a line break', key, ['a b', 'a\nb', 'a\r\nX: b', 'a\u00a0b']],
	['Private Key has a space or a line break', key, ['a\u0000b', 'a\u007fb']],
	['Private Key has a character that no key has', key, ['“key”', 'key—1', 'ke\u200by', '🔑']],
	[shortSecret, cleanWebhookSecret, ['1234567', ' 1234567 ', '🔑🔑🔑🔑', 12345678, true]],
	[shortSecret, cleanWebhookSecret, [['12345678']]],
])('%s: so it is with %p and %j', (problem, read, pasted) => {
	for (const one of pasted) expect(() => read(one)).toThrow(problem);
});

test('what is rejected says what to do, by an error of its own kind', () => {
	const advice = 'Paste the key into the credential again, in one piece.';
	const error = { name: 'InvalidFieldError', advice };
	expect(() => key('a b')).toThrow(expect.objectContaining(error) as Error);
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

const data = { baseUrl: ' https://a.example/ ', merchantId: ' 007 ', privateKey: ' pk ' };
const read = (change: object) => readCredential(privateKeyCredential, { ...data, ...change });

test('a credential is cleaned as a whole', () => {
	const shared = { baseUrl: 'https://a.example', merchantId: new ExactNumber('7') };
	const own = { name: privateKeyCredential, key: 'pk', webhookSecret: '' };
	const strict = { ...own, ...shared, allowUnauthorizedCerts: false };
	for (const allowUnauthorizedCerts of [undefined, 'true', 1]) {
		expect(read({ allowUnauthorizedCerts })).toEqual(strict);
	}
	const more = { apiKey: 'ak', webhookSecret: ' secret-8\n', allowUnauthorizedCerts: true };
	const clean = { name: apiKeyCredential, key: 'ak', webhookSecret: 'secret-8' };
	const lenient = { ...clean, ...shared, allowUnauthorizedCerts: true };
	expect(readCredential(apiKeyCredential, { ...data, ...more })).toEqual(lenient);
});

test.each<[object, RegExp]>([
	[{ baseUrl: '' }, /^'Base URL' is empty$/],
	[{ privateKey: '' }, /^'Private Key' is empty$/],
	[{ merchantId: undefined }, /^'Merchant ID' is empty$/],
	// A key that was pasted there is in no message.
	[{ merchantId: 'sk-live-0123456789' }, /^'Merchant ID' must contain only digits$/],
	[{ merchantId: { key: 'sk-live-0123456789' } }, /^'Merchant ID' must contain only digits$/],
])('a credential is rejected for %j', (change, message) => {
	expect(() => read(change)).toThrow(message);
});
