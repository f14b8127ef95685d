import { changeSettings, initialSettings, type SigningSettings } from '../../sandbox/settings';
import { proofHeaders } from '../../sandbox/signing';

// Made with openssl, for example:
//   printf '%s' "1700000000.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64 -w0
const secret = 's3cret ünïcode';
const body = '{"event":"payment.completed","amount":12.5,"name":"Zoë"}';
const timestamp = '1700000000';
const known = [
	['sha256', 'hex', 'body', '03bbe9b6db2a11d84de27499a61c2e2db1f09bd3340a4936f71b2f1b2b0b32dc'],
	['sha256', 'base64', 'body', 'A7vpttsqEdhN4nSZphwuLbHwm9M0Ckk29xsvGysLMtw='],
	[
		'sha256',
		'hex',
		'timestampDotBody',
		'6fe6c18231e863e180e12617651a021128c6a07d5926db4d5c67bd127c0ac662',
	],
	['sha256', 'base64', 'timestampDotBody', 'b+bBgjHoY+GA4SYXZRoCESjGoH1ZJttNXGe9EnwKxmI='],
	[
		'sha512',
		'hex',
		'body',
		'29766d96aa2f2dceaee299969717f1d454d4d0bbecb0da3bfe0d43fd2583a8c8' +
			'61e4a24fa93d54ac0fc49c3b23db462a55973250a9edf93f983bb843c3153c2c',
	],
	[
		'sha512',
		'base64',
		'timestampDotBody',
		'I4Hl4g0z7e/AJgZJ51O4u35W9d7RikCRF57ZEAkGaR7T7P8LhWx9P9ZC2Xx16HcMsUbgEJNBFH9fPQYphBnRtQ==',
	],
	['sha1', 'hex', 'body', 'edb201564ddcba1db676309a7b77846e313667ef'],
	['sha1', 'base64', 'timestampDotBody', '86WGFKP82JGOKOyOTjHc+eca18w='],
] as const;

function headers(signing: Partial<SigningSettings>, key = secret) {
	const settings = changeSettings(initialSettings(), { signing });
	return proofHeaders(settings.signing, key, body, timestamp);
}

test.each(known)(
	'signs as openssl does: %s, %s, %s',
	(algorithm, encoding, signedContent, expected) => {
		expect(headers({ mode: 'hmac', header: 'X-Sig', algorithm, encoding, signedContent })).toEqual({
			'X-Sig': expected,
			...(signedContent === 'timestampDotBody' ? { 'X-Webhook-Timestamp': timestamp } : {}),
		});
	},
);

test('puts the prefix before the signature', () => {
	expect(headers({ prefix: 'sha256=' })).toEqual({
		'X-Webhook-Signature': `sha256=${known[0][3]}`,
	});
});

test('sends the secret itself, or no proof at all', () => {
	const secretInHeader = { mode: 'secretInHeader', header: 'X-Secret' } as const;
	expect(headers(secretInHeader)).toEqual({ 'X-Secret': secret });
	expect(headers({ ...secretInHeader, prefix: 'Bearer ' })).toEqual({
		'X-Secret': `Bearer ${secret}`,
	});
	expect(headers({ mode: 'none' })).toEqual({});
});

// Made with openssl, too: `-macopt hexkey:` with the bytes that base64 says after "whsec_".
test('signs as Standard Webhooks says, with the same ID each time', () => {
	const key = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
	expect(headers({ mode: 'standardWebhooks' }, key)).toEqual({
		'webhook-id': 'msg_e133f3899c9a5374f0f22580',
		'webhook-timestamp': timestamp,
		'webhook-signature': 'v1,o3a5A/U5O+BlIZwtQNp7OJ4nswMGiTV2htvTFCpgku4=',
	});
});
