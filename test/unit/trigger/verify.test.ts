import { deriveKeys } from '../../../nodes/PaymentPageTrigger/keys';
import { kindOf } from '../../../nodes/PaymentPageTrigger/verification/verify';
import {
	event,
	now,
	overBody,
	overTimestampAndBody,
	secret,
	timestamp,
	token,
	verdictOf,
} from './vectors';

const days = 24 * 60 * 60 * 1000;
const right = overBody['sha256 hex'];
const wrong = '0'.repeat(64);
const name = 'signature header:x-signature sha256 hex body';

/** As the libraries of those who sign so write a secret: some take it whole. */
const standardSecret = 'whsec_dGhlIGtleSBvZiB0aGVzZSB0ZXN0cw==';

const signed = (value: string | string[], more = {}) => event({ 'x-signature': value, ...more });

describe('a signature', () => {
	test.each(Object.entries(overBody))(
		'in %s is found and named, required or not',
		(form, value) => {
			const named = `signature header:x-signature ${form} body`;
			expect([verdictOf(signed(value)), kindOf(named)]).toEqual([named, 'signature']);
			expect(verdictOf(signed(value), { requiredProof: named })).toBe(named);
			// No other proof takes its place, and it is found among all others.
			const others = Object.values(overBody).filter((other) => other !== value);
			const more = { 'x-signature': [...others, secret], 'x-other': value };
			expect(verdictOf(event(more, token), { requiredProof: named })).toBe('noProof');
			expect(verdictOf(signed([...others, value]), { requiredProof: named })).toBe(named);
		},
	);

	test.each([
		`sha256=${right}`,
		`v1=${right}`,
		`v0:${right}`,
		`"${right}"`,
		`sha256="${right}"`,
		`t=1,v1=${right},v1=AAAA`,
		`v1,AAAA v1,${right}`,
		`HMAC-SHA256 ${right}`,
		`keyId="main"; signature="${right}"`,
		`  ${right}\t`,
		right.toUpperCase(),
		`${wrong}, ${right}`,
		[wrong, right],
	])('is found in %j', (value) => {
		expect(verdictOf(signed(value))).toBe(name);
	});

	test.each([
		right.slice(0, right.length / 2),
		`${right} ${'a'.repeat(4000)}`,
		'é'.repeat(right.length),
		overBody['sha256 base64'].toLowerCase(),
		// The last character before "=" has two bits that no byte holds: "9" decodes like "8".
		overBody['sha256 base64'].replace(/8=$/, '9='),
		[wrong, wrong],
		[],
		undefined,
	])('is no proof as %j', (value) => {
		expect(verdictOf(event({ 'x-signature': value }))).toBe('noProof');
	});

	test('is no proof of another body, with another secret, or where the bytes are not known', () => {
		const received = signed(right);
		expect(verdictOf({ ...received, rawBody: Buffer.from('{}') })).toBe('noProof');
		expect(verdictOf({ ...received, rawBody: undefined })).toBe('noProof');
		expect(verdictOf(received, { secrets: [`${secret}x`, secret.slice(1), ''] })).toBe('noProof');
		expect(verdictOf(received, { secrets: ['', 'another', secret] })).toBe(name);
	});

	test('of nothing says nothing about a request', () => {
		// printf '' | openssl dgst -sha256 -hmac "$SECRET" -r
		const value = '3e5fdfeeb73dd7d0f10ab759b2eb1d2fefef8f17fe3a38825768f20cdfea7bb3';
		const nothing = { ...signed(value), rawBody: Buffer.alloc(0) };
		expect(verdictOf(nothing)).toBe('noProof');
		expect(verdictOf({ ...nothing, tokens: [token] })).toBe('url token');
	});

	test("is found as GitHub's documentation signs", () => {
		const value = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
		const received = event({ 'x-hub-signature-256': value });
		const secrets = ["It's a Secret to Everybody"];
		expect(verdictOf({ ...received, rawBody: Buffer.from('Hello, World!') }, { secrets })).toBe(
			'signature header:x-hub-signature-256 sha256 hex body',
		);
	});

	test('with the empty secret is no proof', () => {
		// printf '%s' "$BODY" | openssl dgst -sha256 -hmac "" -r
		const value = 'a8e1fdca22164be7c59a49eba69001ed994565d3043c8c94857a5bde656121d7';
		for (const secrets of [[''], [], ['', '']]) {
			expect(verdictOf(event({ a: value, b: '' }, ''), { secrets })).toBe('noProof');
		}
	});

	test.each(['constructor', '__proto__', 'toString'])('is read in a header named %s', (header) => {
		const received = event(Object.fromEntries([[header, right]]));
		expect(verdictOf(received)).toBe(`signature header:${header} sha256 hex body`);
	});
});

describe('a signed time', () => {
	const timed = 'signature header:x-signature sha256 hex timestamp.body timestamp:x-time';
	const received = signed(overTimestampAndBody, { 'x-time': timestamp });
	const signedAt = Number(timestamp) * 1000;

	test.each([
		[7 * days, undefined, timed],
		[-7 * days, undefined, timed],
		[7 * days + 1, undefined, 'tooOld'],
		[-7 * days - 1, undefined, 'tooOld'],
		[300_000, 300, timed],
		[-300_000, 300, timed],
		[300_001, 300, 'tooOld'],
		[-300_001, 300, 'tooOld'],
	])('%d ms ago with a tolerance of %p seconds: %s', (age, toleranceSeconds, expected) => {
		const demand = toleranceSeconds === undefined ? {} : { toleranceSeconds, requiredProof: timed };
		expect(verdictOf(received, { at: signedAt + age, ...demand })).toBe(expected);
	});

	test('is read behind "t=", in the header of the signature, and as Stripe\'s library writes it', () => {
		// stripe 23.1.0: webhooks.generateTestHeaderString
		const stripe = `t=${timestamp},v1=ec506a9b1835b38838dc609d1a78ad65f1c1161cc7886d06c2b825b40be5e363`;
		expect(verdictOf(event({ a: stripe }), { secrets: [standardSecret] })).toBe(
			'signature header:a sha256 hex timestamp.body timestamp:a',
		);
		expect(verdictOf(event({ a: `t=${timestamp},v1=${overTimestampAndBody}` }))).toBe(
			'signature header:a sha256 hex timestamp.body timestamp:a',
		);
	});

	test.each(['abc', 't=abc', '', '-1700000000', '1700000000.5', '1e9', '999999999999999999', 'é'])(
		'is none as %j',
		(value) => {
			expect(verdictOf(signed(overTimestampAndBody, { 'x-time': value }))).toBe('noProof');
		},
	);

	test('is part of what is signed: a fresh one over an old signature does not count', () => {
		const later = { 'x-time': String(Number(timestamp) + 86_400) };
		const at = now + days;
		expect(verdictOf(signed(overTimestampAndBody, later), { at })).toBe('noProof');
	});

	test('may be in milliseconds', () => {
		// printf '%s' "1700000000000.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r
		const value = '3ac67ceee3897eb944b503bf349814fa170eb000b4bea311a3480e8a3dc4d799';
		expect(verdictOf(signed(value, { 'x-time': '1700000000000' }))).toBe(timed);
	});

	test('is found beside times that are closer to now', () => {
		const proxies = {
			'x-request-start': `t=${now}`,
			'x-id': '1700000009',
			'x-started': `${now - 1}`,
		};
		const more = { ...proxies, 'x-time': timestamp };
		expect(verdictOf(signed(overTimestampAndBody, more))).toBe(timed);
	});

	test('may be in milliseconds', () => {
		// printf '%s' "1700000000000.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r
		const value = '3ac67ceee3897eb944b503bf349814fa170eb000b4bea311a3480e8a3dc4d799';
		const inMilliseconds = signed(value, { 'x-time': `${signedAt}` });
		expect(verdictOf(inMilliseconds)).toBe(timed);
		expect(verdictOf(inMilliseconds, { at: signedAt + 7 * days + 1 })).toBe('tooOld');
	});

	// More would make a forgery costly.
	test('is looked for among the six closest to now, unless its header is required', () => {
		const others = [1, -2, 3, -4, 5, -6].map((seconds) => `${Number(timestamp) + 10 + seconds}`);
		const withOthers = (count: number) => {
			const closer = others.slice(0, count).map((time, index) => [`x-${index}`, time] as const);
			const noTimes = others.map((_, index) => [`x-none-${index}`, `no time ${index}`] as const);
			const more = Object.fromEntries([...noTimes, ...closer]);
			return signed(overTimestampAndBody, { ...more, 'x-time': timestamp });
		};
		expect(verdictOf(withOthers(5))).toBe(timed);
		expect(verdictOf(withOthers(6))).toBe('noProof');
		expect(verdictOf(withOthers(6), { requiredProof: timed })).toBe(timed);
	});

	test('that is too far from now hides no weaker proof, unless a signature is required', () => {
		const withToken = { ...received, tokens: [token] };
		const at = now + 30 * days;
		expect(verdictOf(withToken, { at })).toBe('url token');
		expect(verdictOf(withToken, { at, strongest: 'signature' })).toBe('tooOld');
	});
});

/** standardwebhooks 1.1.1 and svix 2.5.0: `new Webhook(secret).sign('msg_1', time, body)`. */
const standard = 'v1,hOFwcq5OzIO8LaA5S02e5wRdtLv1OczBIw9u8YUK7t8=';

describe.each(['webhook', 'svix'])('Standard Webhooks with the names %s-…', (prefix) => {
	const named = `signature header:${prefix}-signature sha256 base64 id.timestamp.body id:${prefix}-id timestamp:${prefix}-timestamp`;
	const verdict = (change: Record<string, string> = {}, more = {}) => {
		const values = { id: 'msg_1', timestamp, signature: standard, ...change };
		const headers: Record<string, string> = {};
		for (const [key, value] of Object.entries(values)) headers[`${prefix}-${key}`] = value;
		return verdictOf(event(headers), { secrets: [standardSecret], ...more });
	};

	test('is a proof, by its full name, required or not', () => {
		expect(verdict()).toBe(named);
		expect(verdict({}, { requiredProof: named })).toBe(named);
		expect(verdict({ signature: `v1,AAAA v1a,x ${standard}` })).toBe(named);
	});

	test.each([
		['another ID', { id: 'msg_2' }],
		['no ID', { id: '' }],
		['another time', { timestamp: '1700000001' }],
		['another signature', { signature: standard.replace('hO', 'hP') }],
	])('is none with %s', (_, change) => {
		expect(verdict(change)).toBe('noProof');
	});

	test('is none with another key, and after seven days', () => {
		const secrets = ['whsec_', 'whsec_AAAA', 'whsec_b3RoZXIga2V5IG9m', 'whsec'];
		expect(verdict({}, { secrets })).toBe('noProof');
		expect(verdict({}, { at: now + 8 * days })).toBe('tooOld');
	});
});

describe('the secret itself', () => {
	test.each([secret, `Bearer ${secret}`, `"${secret}"`, `secret=${secret}`, [secret]])(
		'in a header is a proof: %j',
		(value) => {
			expect(verdictOf(signed(value))).toBe('secret header:x-signature');
		},
	);

	test('may hold blanks and commas, and needs no body', () => {
		const odd = 'correct horse, battery';
		const received = { ...signed(` ${odd} `), rawBody: undefined };
		expect(verdictOf(received, { secrets: [odd] })).toBe('secret header:x-signature');
	});

	test.each([secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), secret.slice(0, 14)])(
		'is no proof as %j',
		(value) => {
			expect(verdictOf(signed(value))).toBe('noProof');
		},
	);
});

test('the token in the address is a proof, and in a header none', () => {
	expect(verdictOf(event({}, token))).toBe('url token');
	expect(verdictOf(event({}, ''))).toBe('noProof');
	expect(verdictOf(signed(token))).toBe('noProof');
});

test('names the strongest of several proofs', () => {
	const ranked: Array<[header: string, value: string, name: string]> = [
		['e', overBody['sha512 base64'], 'signature header:e sha512 base64 body'],
		['d', overBody['sha256 hex'], 'signature header:d sha256 hex body'],
		['c', overBody['sha1 hex'], 'signature header:c sha1 hex body'],
		['b', secret, 'secret header:b'],
	];
	const names = [...ranked.keys(), ranked.length].map((strongest) => {
		// The weakest stands first in the headers, so that their order does not help.
		const weaker = ranked.slice(strongest).map(([header, value]) => [header, value] as const);
		return verdictOf(event(Object.fromEntries(weaker.toReversed()), token));
	});
	expect(names).toEqual([...ranked.map(([, , named]) => named), 'url token']);
});

test.each([
	['signature', 'the token', event({}, token), 'weaker'],
	['signature', 'the secret', signed(secret), 'weaker'],
	[
		'signature',
		'the token beside a wrong signature',
		{ ...signed(wrong), tokens: [token] },
		'weaker',
	],
	['signature', 'any', signed(overBody['sha1 hex']), 'signature header:x-signature sha1 hex body'],
	['secret', 'the token', event({}, token), 'weaker'],
	['secret', 'a secret', signed(secret), 'secret header:x-signature'],
	[
		'url token',
		'the token beside a wrong signature',
		{ ...signed(wrong), tokens: [token] },
		'url token',
	],
] as const)('after a proof by %s, %s is judged', (strongest, _, received, expected) => {
	expect(verdictOf(received, { strongest })).toBe(expected);
});

test.each([
	['url token', event({ 'x-signature': right, 'x-other': secret }, token)],
	['secret header:x-other', event({ 'x-signature': right, 'x-other': secret })],
])(
	'%s, when required, is enough although a signature is there, and was learned',
	(named, received) => {
		expect(verdictOf(received, { requiredProof: named, strongest: 'signature' })).toBe(named);
		expect(verdictOf(event({ 'x-third': secret }), { requiredProof: named })).toBe('noProof');
	},
);

test.each([
	'signature',
	'token',
	'url token please',
	'secret header:',
	'secret header:two words',
	'signature header:x md5 hex body',
	'signature header:x sha256 hex timestamp.body',
	'signature header:x sha256 hex body timestamp:x-time',
])('%j names no proof', (text) => {
	expect(kindOf(text)).toBeUndefined();
});

test('secret and token are derived as OpenSSL does, and differ by purpose, secret and key', () => {
	// KEY=$(printf 'n8n-nodes-payment-pages url token key' |
	//   openssl dgst -sha256 -hmac sandbox-api-key -r | cut -d' ' -f1)
	// printf "n8n-nodes-payment-pages url token $SECRET" | openssl dgst -sha256 -hmac "$KEY" -r | cut -c1-32
	expect(deriveKeys('sandbox-api-key', secret).token).toBe(token);
	// printf 'n8n-nodes-payment-pages webhook secret' | openssl dgst -sha256 -hmac sandbox-api-key -r
	const derived = deriveKeys('sandbox-api-key', '').secret;
	expect(derived).toBe('e0695a7b06854f13d328470295d6cf26e4f7f178c966b255b37ad1f9782a05d4');
	const all = [
		deriveKeys('api-key', secret),
		deriveKeys('api-key', 'other'),
		deriveKeys('another key', secret),
	].flatMap(({ token: urlToken, testKey }) => [urlToken, testKey.slice(0, 32)]);
	all.push(deriveKeys(secret, '').secret.slice(0, 32));
	expect(new Set(all).size).toBe(all.length);
});
