import { deriveKeys } from '../../../nodes/PaymentPageTrigger/keys';
import { secret, token } from './vectors';

describe('what is derived', () => {
	test('is the same as OpenSSL derives', () => {
		// KEY=$(printf 'n8n-nodes-payment-pages url token key' |
		//   openssl dgst -sha256 -hmac sandbox-api-key -r | cut -d' ' -f1)
		// printf "n8n-nodes-payment-pages url token $SECRET" | openssl dgst -sha256 -hmac "$KEY" -r | cut -c1-32
		expect(deriveKeys('sandbox-api-key', secret).token).toBe(token);
		// printf 'n8n-nodes-payment-pages webhook secret' | openssl dgst -sha256 -hmac sandbox-api-key -r
		expect(deriveKeys('sandbox-api-key', '').secret).toBe(
			'e0695a7b06854f13d328470295d6cf26e4f7f178c966b255b37ad1f9782a05d4',
		);
	});

	test('differs by purpose, by secret and by key', () => {
		const derived = [
			deriveKeys('api-key', secret),
			deriveKeys('api-key', 'other'),
			deriveKeys('another key', secret),
		].flatMap(({ token: urlToken, testKey }) => [urlToken, testKey.slice(0, 32)]);
		derived.push(deriveKeys(secret, '').secret.slice(0, 32));
		expect(new Set(derived).size).toBe(derived.length);
	});
});
