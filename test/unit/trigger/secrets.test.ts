import {
	deriveListenMark,
	deriveUrlToken,
	deriveWebhookSecret,
	fingerprintOf,
	seal,
	unseal,
} from '../../../nodes/shared/secrets';
import { secret } from './vectors';

const urlToken = deriveUrlToken(secret);

describe('what is derived', () => {
	it('is the same as OpenSSL derives', () => {
		// printf 'n8n-nodes-payment-pages url token' | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-32
		expect(deriveUrlToken(secret)).toBe('4b8a0939ae196f61dd121263b087042f');
		// printf 'n8n-nodes-payment-pages listen mark' | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-32
		expect(deriveListenMark(secret)).toBe('265c20af630188eb95c713ca99006c92');
		// printf 'n8n-nodes-payment-pages webhook secret' | openssl dgst -sha256 -hmac sandbox-api-key -r
		expect(deriveWebhookSecret('sandbox-api-key')).toBe(
			'e0695a7b06854f13d328470295d6cf26e4f7f178c966b255b37ad1f9782a05d4',
		);
	});

	it('differs by purpose, by secret and by key', () => {
		const derived = [
			deriveUrlToken(secret),
			deriveUrlToken('other'),
			deriveListenMark(secret),
			deriveWebhookSecret(secret).slice(0, 32),
			fingerprintOf(secret, 'api-key'),
			fingerprintOf('other', 'api-key'),
			fingerprintOf(secret, 'another key'),
		];
		expect(new Set(derived).size).toBe(derived.length);
	});
});

describe('a sealed secret', () => {
	it.each([secret, '', 'Zoë ☂', 'x'.repeat(5_000)])('is opened with the token', (text) => {
		expect(unseal(seal(text, urlToken), urlToken)).toBe(text);
	});

	it('is another text each time, and shows nothing of the secret', () => {
		const sealed = seal(secret, urlToken);
		expect(seal(secret, urlToken)).not.toBe(sealed);
		expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain(secret);
	});

	it('is not opened with another token', () => {
		const sealed = seal(secret, urlToken);
		expect(unseal(sealed, 'b'.repeat(64))).toBeUndefined();
		expect(unseal(sealed, '')).toBeUndefined();
	});

	it('is not opened when any of its bytes was changed', () => {
		const bytes = Buffer.from(seal(secret, urlToken), 'base64');
		for (let index = 0; index < bytes.length; index++) {
			const changed = Buffer.from(bytes);
			changed[index] = (changed[index] ?? 0) ^ 1;
			expect(unseal(changed.toString('base64'), urlToken)).toBeUndefined();
		}
	});

	it('is not opened when it was cut anywhere', () => {
		const bytes = Buffer.from(seal(secret, urlToken), 'base64');
		for (let length = 0; length < bytes.length; length++) {
			expect(unseal(bytes.subarray(0, length).toString('base64'), urlToken)).toBeUndefined();
		}
	});

	it.each(['', 'no Base64 at all!', 'é', '====', 'AAAA'.repeat(50)])('is none: %j', (text) => {
		expect(unseal(text, urlToken)).toBeUndefined();
	});
});
