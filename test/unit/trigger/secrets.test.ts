import {
	deriveUrlToken,
	deriveWebhookSecret,
	fingerprintOf,
	seal,
	unseal,
} from '../../../nodes/PaymentPageTrigger/secrets';
import { keys, secret, token } from './vectors';

describe('what is derived', () => {
	test('is the same as OpenSSL derives', () => {
		// KEY=$(printf 'n8n-nodes-payment-pages url token key' |
		//   openssl dgst -sha256 -hmac sandbox-api-key -r | cut -d' ' -f1)
		// printf "n8n-nodes-payment-pages url token $SECRET" | openssl dgst -sha256 -hmac "$KEY" -r | cut -c1-32
		expect(deriveUrlToken('sandbox-api-key', secret)).toBe(token);
		// printf 'n8n-nodes-payment-pages webhook secret' | openssl dgst -sha256 -hmac sandbox-api-key -r
		expect(deriveWebhookSecret('sandbox-api-key')).toBe(
			'e0695a7b06854f13d328470295d6cf26e4f7f178c966b255b37ad1f9782a05d4',
		);
	});

	test('differs by purpose, by secret and by key', () => {
		const derived = [
			deriveUrlToken('api-key', secret),
			deriveUrlToken('api-key', 'other'),
			deriveUrlToken('another key', secret),
			deriveWebhookSecret(secret).slice(0, 32),
			fingerprintOf(secret, 'api-key'),
			fingerprintOf('other', 'api-key'),
			fingerprintOf(secret, 'another key'),
		];
		expect(new Set(derived).size).toBe(derived.length);
	});
});

describe('a sealed secret', () => {
	test.each([secret, '', 'Zoë ☂', 'x'.repeat(5_000)])('is opened with the token', (text) => {
		expect(unseal(seal({ secret: text, token }), token)).toEqual({ secret: text, token });
	});

	test('is another text each time, and shows nothing of the secret', () => {
		const sealed = seal(keys);
		expect(seal(keys)).not.toBe(sealed);
		expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain(secret);
	});

	test('is not opened with another token', () => {
		const sealed = seal(keys);
		expect(unseal(sealed, 'b'.repeat(64))).toBeUndefined();
		expect(unseal(sealed, '')).toBeUndefined();
	});

	test('is not opened when any of its bytes was changed', () => {
		const bytes = Buffer.from(seal(keys), 'base64');
		for (let index = 0; index < bytes.length; index++) {
			const changed = Buffer.from(bytes);
			changed[index] = (changed[index] ?? 0) ^ 1;
			expect(unseal(changed.toString('base64'), token)).toBeUndefined();
		}
	});

	test('is not opened when it was cut anywhere', () => {
		const bytes = Buffer.from(seal(keys), 'base64');
		for (let length = 0; length < bytes.length; length++) {
			expect(unseal(bytes.subarray(0, length).toString('base64'), token)).toBeUndefined();
		}
	});

	test.each(['', 'no Base64 at all!', 'é', '====', 'AAAA'.repeat(50)])('is none: %j', (text) => {
		expect(unseal(text, token)).toBeUndefined();
	});
});
