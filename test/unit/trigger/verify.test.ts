import { createHmac } from 'node:crypto';

import { deriveKeys } from '../../../nodes/PaymentPageTrigger/keys';
import { kindOf, type ReceivedEvent } from '../../../nodes/PaymentPageTrigger/verification/verify';
import {
	body,
	event,
	now,
	overBody,
	overTimestampAndBody,
	secret,
	timestamp,
	token,
	verdictOf,
	type Situation,
} from './vectors';

type Row = [what: string, received: ReceivedEvent, verdict: string, situation?: Situation];

function verdicts(rows: Row[]): void {
	test.each(rows)('%s', (_, received, verdict, situation = {}) => {
		expect(verdictOf(received, situation)).toBe(verdict);
	});
}

const days = 24 * 60 * 60 * 1000;
const right = overBody['sha256 hex'];
const wrong = '0'.repeat(64);
const name = 'signature header:x-signature sha256 hex body';

const signed = (value: string | string[], more = {}) => event({ 'x-signature': value, ...more });

/** For what must not count, or is too long to write down; what counts was computed elsewhere. */
const hmac = (content: string, key: string | Buffer = secret, algorithm = 'sha256') =>
	createHmac(algorithm, key).update(content);

describe('a signature', () => {
	test.each(Object.entries(overBody))('in %s is found and named', (form, value) => {
		const named = `signature header:x-signature ${form} body`;
		expect(verdictOf(signed(value))).toBe(named);
		// Required, no other proof takes its place, and it is found among all others.
		const others = Object.values(overBody).filter((other) => other !== value);
		const more = { 'x-signature': [...others, secret], 'x-other': value };
		expect(verdictOf(event(more, token), { requiredProof: named })).toBe('noProof');
		expect(verdictOf(signed([...others, value]), { requiredProof: named })).toBe(named);
	});

	test.each([
		`v0:${right}`,
		`"${right}"`,
		`t=1,v1=${right},v1=AAAA`,
		`v1,AAAA v1,${right}`,
		`keyId="main"; signature="${right}"`,
		`  ${right}\t`,
		right.toUpperCase(),
		`${'a'.repeat(2048 - right.length - 1)} ${right}`,
		[wrong, right],
	])('is found in %j', (value) => {
		expect(verdictOf(signed(value))).toBe(name);
	});

	test.each([
		right.slice(0, right.length / 2),
		`${'a'.repeat(2048 - right.length)} ${right}`,
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

	// printf '' | openssl dgst -sha256 -hmac "$SECRET" -r
	const ofNothing = '3e5fdfeeb73dd7d0f10ab759b2eb1d2fefef8f17fe3a38825768f20cdfea7bb3';
	const nothing = { ...signed(ofNothing), rawBody: Buffer.alloc(0) };
	// printf '%s' "$BODY" | openssl dgst -sha256 -hmac "" -r
	const withEmptySecret = 'a8e1fdca22164be7c59a49eba69001ed994565d3043c8c94857a5bde656121d7';
	const unknown = event({ a: withEmptySecret, b: '' }, '');
	const byGitHub = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
	const gitHub = { ...signed(byGitHub), rawBody: Buffer.from('Hello, World!') };
	const hidden = event(Object.fromEntries([['__proto__', right]]));

	verdicts([
		['of another body', { ...signed(right), rawBody: Buffer.from('{}') }, 'noProof'],
		['of bytes that are not known', { ...signed(right), rawBody: undefined }, 'noProof'],
		['of nothing', nothing, 'noProof'],
		['of nothing, beside the token', { ...nothing, tokens: [token] }, 'url token'],
		['by others', signed(right), 'noProof', { secrets: [`${secret}x`, secret.slice(1), ''] }],
		['by one of many', signed(right), name, { secrets: ['', 'another', secret] }],
		['with the empty secret', unknown, 'noProof', { secrets: ['', ''] }],
		['with no secret', unknown, 'noProof', { secrets: [] }],
		["as GitHub's documentation has it", gitHub, name, { secrets: ["It's a Secret to Everybody"] }],
		['in a header like what every object has', hidden, name.replace('x-signature', '__proto__')],
	]);
});

/** As the libraries of those who sign so write a secret: some take it whole. */
const standardSecret = 'whsec_dGhlIGtleSBvZiB0aGVzZSB0ZXN0cw==';

describe('a signed time', () => {
	const timed = 'signature header:x-signature sha256 hex timestamp.body timestamp:x-time';
	const inOneHeader = 'signature header:a sha256 hex timestamp.body timestamp:a';
	const received = signed(overTimestampAndBody, { 'x-time': timestamp });
	const signedAt = Number(timestamp) * 1000;
	const withToken = { ...received, tokens: [token] };
	// printf '%s' "1700000000000.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r
	const overMilliseconds = '3ac67ceee3897eb944b503bf349814fa170eb000b4bea311a3480e8a3dc4d799';
	const inMilliseconds = signed(overMilliseconds, { 'x-time': `${signedAt}` });
	// stripe 23.1.0: webhooks.generateTestHeaderString
	const stripe = `t=${timestamp},v1=ec506a9b1835b38838dc609d1a78ad65f1c1161cc7886d06c2b825b40be5e363`;
	const seen = { strongest: 'signature' } as const;
	const later = { 'x-time': `${Number(timestamp) + 86_400}` };

	test.each([
		[7 * days, {}],
		[300_000, { toleranceSeconds: 300, requiredProof: timed }],
	])('up to %d ms from now is a proof, with %j', (tolerated, demand) => {
		const verdictAfter = (age: number) => verdictOf(received, { at: signedAt + age, ...demand });
		expect([tolerated, -tolerated].map(verdictAfter)).toEqual([timed, timed]);
		expect([tolerated + 1, -tolerated - 1].map(verdictAfter)).toEqual(['tooOld', 'tooOld']);
	});

	const forStripe = { secrets: [standardSecret] };
	const noTimes = ['abc', 't=abc', '', '-1700000000', '1700000000.5', '1e9', '17000t=00000', 'é'];

	verdicts([
		['behind "t="', event({ a: `t=${timestamp},v1=${overTimestampAndBody}` }), inOneHeader],
		["as Stripe's library writes it", event({ a: stripe }), inOneHeader, forStripe],
		['in milliseconds', inMilliseconds, timed],
		['in milliseconds, too old', inMilliseconds, 'tooOld', { at: signedAt + 7 * days + 1 }],
		['is signed, too', signed(overTimestampAndBody, later), 'noProof', { at: now + days }],
		['too old, beside the token', withToken, 'url token', { at: now + 30 * days }],
		['too old, where signatures were seen', withToken, 'tooOld', { at: now + 30 * days, ...seen }],
		...[...noTimes, '9'.repeat(18)].map((time): Row => {
			const signature = hmac(`${time.replace('t=', '')}.${body}`).digest('hex');
			return [`is none as "${time}"`, signed(signature, { 'x-time': time }), 'noProof'];
		}),
	]);

	// More would make a forgery costly.
	test('is looked for among the six closest to now, unless its header is required', () => {
		const at = (distance: number) => [`x-${distance}`, String(now / 1000 + distance)] as const;
		const withOthers = (count: number) => {
			const own = ['x-time', timestamp] as const;
			const closer = [1, -2, 3, -4, 5, -6].slice(0, count).map(at);
			const others = [...[11, -12, 13, -14, 15, -16].map(at), own, ...closer];
			return signed(overTimestampAndBody, Object.fromEntries(others));
		};
		expect(verdictOf(withOthers(5))).toBe(timed);
		expect(verdictOf(withOthers(6))).toBe('noProof');
		expect(verdictOf(withOthers(6), { requiredProof: timed })).toBe(timed);
	});
});

describe('Standard Webhooks', () => {
	const named =
		'signature header:svix-signature sha256 base64 id.timestamp.body id:svix-id timestamp:svix-timestamp';
	/** standardwebhooks 1.1.1 and svix 2.5.0: `new Webhook(secret).sign('msg_1', time, body)`. */
	const signature = 'v1,hOFwcq5OzIO8LaA5S02e5wRdtLv1OczBIw9u8YUK7t8=';
	const standard = { 'svix-id': 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': signature };
	const secrets = [standardSecret];
	const others = ['whsec_', 'whsec_b3RoZXIga2V5IG9m', 'whsec', `x${standardSecret}`];
	const changed = (change: object) => event({ ...standard, ...change });
	const many = `v1,AAAA v1a,x ${signature}`;
	const renamed = { 'svix-timestamp': '', 'svix-timestamp-2': timestamp, 'svix-id-2': 'msg_1' };
	const decoded = Buffer.from(standardSecret.slice(6), 'base64');
	const withoutId = hmac(`.${timestamp}.${body}`, standardSecret).digest('base64');
	const zeros = (bytes: number) => Buffer.alloc(bytes);
	const byZeros = (bytes: number) =>
		changed({ a: hmac(`msg_1.${timestamp}.${body}`, zeros(bytes)).digest('base64') });
	const ofZeros = (bytes: number) => ({ secrets: [`whsec_${zeros(bytes).toString('base64')}`] });

	verdicts([
		['as its library signs', event(standard), named, { secrets }],
		['by its full name', event(standard), named, { secrets, requiredProof: named }],
		['among other signatures', changed({ 'svix-signature': many }), named, { secrets }],
		['after eight days', event(standard), 'tooOld', { secrets, at: now + 8 * days }],
		['with another ID', changed({ 'svix-id': 'msg_2' }), 'noProof', { secrets }],
		['without an ID', changed({ 'svix-id': '', a: withoutId }), 'noProof', { secrets }],
		['with other names', changed(renamed), 'noProof', { secrets }],
		['with another time', changed({ 'svix-timestamp': '1700000001' }), 'noProof', { secrets }],
		['with other keys', event(standard), 'noProof', { secrets: others }],
		['of the body alone', signed(hmac(body, decoded).digest('hex')), 'noProof', { secrets }],
		['with a key that could be tried out', byZeros(7), 'noProof', ofZeros(7)],
		['with a key that is long enough', byZeros(8), named.replace(/svix-s\w+/, 'a'), ofZeros(8)],
	]);
});

describe('the secret itself', () => {
	const named = 'secret header:x-signature';
	const odd = 'correct horse, battery';
	const withoutBody = { ...signed(` ${odd} `), rawBody: undefined };

	verdicts([
		...[secret, `Bearer ${secret}`, `"${secret}"`, `secret=${secret}`, [secret]].map(
			(value): Row => [`as ${String(value)}`, signed(value), named],
		),
		['with blanks and commas, without a body', withoutBody, named, { secrets: [odd] }],
		['with a quote in it', signed('Bearer horse"7'), named, { secrets: ['horse"7'] }],
		...[secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), secret.slice(0, 14)].map(
			(value): Row => [`not as ${value}`, signed(value), 'noProof'],
		),
	]);
});

verdicts([
	['the token in the address', event({}, token), 'url token'],
	['the token, empty', event({}, ''), 'noProof'],
	['the token in a header', signed(token), 'noProof'],
]);

test('names the strongest of several proofs', () => {
	// The weakest stands first in the headers, so that their order does not help.
	const headers: Record<string, string> = {};
	for (const [header, value, named] of [
		['a', '', 'url token'],
		['b', secret, 'secret header:b'],
		['c', overBody['sha1 hex'], 'signature header:c sha1 hex body'],
		['d', right, 'signature header:d sha256 hex body'],
		['e', overBody['sha512 base64'], 'signature header:e sha512 base64 body'],
	] as const) {
		headers[header] = value;
		expect(verdictOf(event(headers, token))).toBe(named);
	}
});

// Of more, one algorithm alone is computed.
test('a body above 1 MB is proven by SHA-256, and by what is required', () => {
	const verdictOn = (size: number, algorithm: string, requiredProof = '') => {
		const content = 'a'.repeat(size);
		const received = signed(hmac(content, secret, algorithm).digest('hex'));
		return verdictOf({ ...received, rawBody: Buffer.from(content) }, { requiredProof });
	};
	const sha512 = name.replace('sha256', 'sha512');
	expect(verdictOn(1_000_000, 'sha512')).toBe(sha512);
	expect(verdictOn(1_000_001, 'sha512')).toBe('noProof');
	expect(verdictOn(1_000_001, 'sha512', sha512)).toBe(sha512);
	expect(verdictOn(1_000_001, 'sha256')).toBe(name);
});

describe('what earlier events have shown, or what is required, decides', () => {
	const tokenAndWrong = { ...signed(wrong), tokens: [token] };
	const sha1 = 'signature header:x-signature sha1 hex body';
	const learned = { strongest: 'signature' } as const;
	const all = event({ 'x-signature': right, 'x-other': secret }, token);
	const pinned = 'secret header:x-other';

	verdicts([
		['a signature: the token', event({}, token), 'weaker', learned],
		['a signature: the secret', signed(secret), 'weaker', learned],
		['a signature: the token beside a wrong one', tokenAndWrong, 'weaker', learned],
		['a signature: any other', signed(overBody['sha1 hex']), sha1, learned],
		['a secret: the token', event({}, token), 'weaker', { strongest: 'secret' }],
		['a secret: a secret', signed(secret), 'secret header:x-signature', { strongest: 'secret' }],
		['the token: beside a wrong signature', tokenAndWrong, 'url token', { strongest: 'url token' }],
		['the required token', all, 'url token', { requiredProof: 'url token', ...learned }],
		['the required secret', all, pinned, { requiredProof: pinned, ...learned }],
		['not in the required header', event({ a: secret }), 'noProof', { requiredProof: pinned }],
	]);
});

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
