import {
	algorithms,
	body,
	encodings,
	event,
	now,
	overBody,
	overTimestampAndBody,
	proofOf,
	secret,
	timestamp,
	token,
} from './vectors';

const week = 7 * 24 * 60 * 60 * 1000;

type Event = ReturnType<typeof event>;

function proof(received: Event, secrets = [secret], at = now) {
	return proofOf(received, { secrets, at });
}

const combinations = algorithms.flatMap((algorithm) =>
	encodings.map((encoding) => [algorithm, encoding] as const),
);

describe.each(combinations)('a signature in %s, %s', (algorithm, encoding) => {
	const right = overBody[algorithm][encoding];
	const name = `signature header:x-signature ${algorithm} ${encoding} body`;

	test('over the body is found and named', () => {
		expect(proof(event({ 'content-type': 'application/json', 'x-signature': right }))).toBe(name);
	});

	test('over timestamp, dot, body is found with the header of the timestamp', () => {
		const headers = {
			'x-signature': overTimestampAndBody[algorithm][encoding],
			'x-time': timestamp,
		};
		expect(proof(event(headers))).toBe(
			`signature header:x-signature ${algorithm} ${encoding} timestamp.body timestamp:x-time`,
		);
	});

	test.each([
		`${algorithm}=${right}`,
		`v1=${right}`,
		`v0:${right}`,
		`"${right}"`,
		`${algorithm}="${right}"`,
		`t=1,v1=${right},v1=AAAA`,
		`v1,AAAA v1,${right}`,
		`HMAC-SHA256 ${right}`,
		`keyId="main"; signature="${right}"`,
		`  ${right}\t`,
	])('is found in %j', (value) => {
		expect(proof(event({ 'x-signature': value }))).toBe(name);
	});

	test.each([
		['cut', right.slice(0, -1)],
		['half', right.slice(0, right.length / 2)],
		['too long', `${right}0`],
		['far too long', right + 'a'.repeat(4000)],
		['spoiled', `${right.startsWith('0') ? '1' : '0'}${right.slice(1)}`],
		['empty', ''],
		['a lone quote', '"'],
		['not ASCII', 'é'.repeat(right.length)],
		['not ASCII, and longer in lower case', 'İ'.repeat(right.length)],
		['right, but for a letter beyond ASCII', `${right.slice(0, -1)}ſ`],
	])('is no proof when it is %s', (_, value) => {
		expect(proof(event({ 'x-signature': value }))).toBeUndefined();
	});

	test('is no proof for another body, or another secret', () => {
		const headers = { 'x-signature': right };
		expect(proof({ headers, tokens: [], rawBody: Buffer.from(`${body} `) })).toBeUndefined();
		expect(proof(event(headers), [`${secret}x`, secret.slice(1), ''])).toBeUndefined();
	});

	test('is found with any of several secrets', () => {
		expect(proof(event({ 'x-signature': right }), ['', 'another', secret])).toBe(name);
	});
});

test('hex is read in either case, Base64 in the only spelling it has', () => {
	const { hex, base64 } = overBody.sha256;
	expect(proof(event({ s: hex.toUpperCase() }))).toBe('signature header:s sha256 hex body');
	expect(proof(event({ s: base64.toLowerCase() }))).toBeUndefined();
	// The last character before "=" has two bits that no byte holds: "9" decodes like "8".
	expect(proof(event({ s: base64.replace(/8=$/, '9=') }))).toBeUndefined();
	expect(Buffer.from(base64.replace(/8=$/, '9='), 'base64')).toEqual(Buffer.from(base64, 'base64'));
});

describe('two headers of one name', () => {
	const right = overBody.sha256.hex;
	const name = 'signature header:x-signature sha256 hex body';

	test.each([
		['joined by Node.js', `${'0'.repeat(64)}, ${right}`],
		['as a list', ['0'.repeat(64), right]],
	])('are proof when one of them is right: %s', (_, value) => {
		expect(proof(event({ 'x-signature': value }))).toBe(name);
	});

	test('are no proof when both are wrong', () => {
		const wrong = '0'.repeat(64);
		expect(proof(event({ 'x-signature': [wrong, wrong] }))).toBeUndefined();
		expect(proof(event({ 'x-signature': [] }))).toBeUndefined();
		expect(proof(event({ 'x-signature': undefined }))).toBeUndefined();
	});
});

describe('a signed timestamp', () => {
	const headers = (value: string) => ({
		'x-signature': overTimestampAndBody.sha256.hex,
		'x-time': value,
	});

	test.each([
		['six days ago', now + week - 60_000],
		['in six days', now - week + 60_000],
	])('is accepted when it was %s', (_, at) => {
		expect(proof(event(headers(timestamp)), [secret], at)).toContain('timestamp.body');
	});

	test.each([
		['eight days ago', now + week + 60_000],
		['in eight days', now - week - 60_000],
	])('is a repetition, and no proof, when it was %s', (_, at) => {
		expect(proof(event(headers(timestamp)), [secret], at)).toBeUndefined();
	});

	test('is read behind "t=", in the same header as the signature', () => {
		const value = `t=${timestamp},v1=${overTimestampAndBody.sha256.hex}`;
		expect(proof(event({ 'stripe-like': value }))).toBe(
			'signature header:stripe-like sha256 hex timestamp.body timestamp:stripe-like',
		);
	});

	test.each(['abc', 't=abc', '', '-1700000000', '1700000000.5', '1e9', '999999999999999999', 'é'])(
		'%j is none',
		(value) => {
			expect(proof(event(headers(value)))).toBeUndefined();
		},
	);
});

describe('the empty secret', () => {
	// printf '%s' "$BODY" | openssl dgst -sha256 -hmac "" -r
	const signed = 'a8e1fdca22164be7c59a49eba69001ed994565d3043c8c94857a5bde656121d7';

	test.each([[['']], [[]], [['', '']]])('proves nothing with the secrets %j', (secrets) => {
		expect(proof(event({ 'x-signature': signed }), secrets)).toBeUndefined();
		expect(proof(event({ 'x-secret': '' }, ''), secrets)).toBeUndefined();
	});
});

describe('the secret itself', () => {
	test.each([secret, `Bearer ${secret}`, `"${secret}"`, `secret=${secret}`, [secret]])(
		'in a header is a proof: %j',
		(value) => {
			expect(proof(event({ 'x-secret': value }))).toBe('secret header:x-secret');
		},
	);

	test('may hold blanks and commas', () => {
		const odd = 'correct horse, battery';
		expect(proof(event({ 'x-secret': odd }), [odd])).toBe('secret header:x-secret');
	});

	test.each([secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), secret.slice(0, 14)])(
		'is no proof as %j',
		(value) => {
			expect(proof(event({ 'x-secret': value }))).toBeUndefined();
		},
	);
});

describe('the token', () => {
	test('in the address is a proof', () => {
		expect(proof(event({}, token))).toBe('url token');
	});

	test.each([
		undefined,
		'',
		token.slice(0, -1),
		`${token}0`,
		token.toUpperCase(),
		'0'.repeat(32),
		'é'.repeat(32),
	])('is no proof as %j', (given) => {
		expect(proof(event({}, given))).toBeUndefined();
	});

	test('is no proof in a header', () => {
		expect(proof(event({ 'x-token': token }))).toBeUndefined();
	});
});

test('names the strongest of several proofs', () => {
	const ranked: Array<[header: string, value: string, name: string]> = [
		['e', overBody.sha512.base64, 'signature header:e sha512 base64 body'],
		['d', overBody.sha256.hex, 'signature header:d sha256 hex body'],
		['c', overBody.sha1.hex, 'signature header:c sha1 hex body'],
		['b', secret, 'secret header:b'],
	];
	const names = [...ranked.keys(), ranked.length].map((strongest) => {
		// The weakest stands first in the headers, so that their order does not help.
		const headers = ranked.slice(strongest).toReversed();
		return proof(event(Object.fromEntries(headers.map(([name, value]) => [name, value])), token));
	});
	expect(names).toEqual([...ranked.map(([, , name]) => name), 'url token']);
});

test.each(['constructor', '__proto__', 'hasownproperty', 'toString'])(
	'reads a header named %s like any other',
	(name) => {
		const headers = Object.fromEntries([[name, overBody.sha256.hex]]);
		expect(proof(event(headers))).toBe(`signature header:${name} sha256 hex body`);
	},
);

test('finds no signature when the bytes are not known, but the secret and the token', () => {
	// printf '' | openssl dgst -sha256 -hmac "$SECRET" -r
	const overNothing = '3e5fdfeeb73dd7d0f10ab759b2eb1d2fefef8f17fe3a38825768f20cdfea7bb3';
	const received = (value: string, given?: string) => ({
		headers: { 'x-signature': value },
		tokens: given === undefined ? [] : [given],
		rawBody: undefined,
	});
	expect(proof(received(overNothing))).toBeUndefined();
	expect(proof(received(overBody.sha256.hex))).toBeUndefined();
	expect(proof(received(secret))).toBe('secret header:x-signature');
	expect(proof(received('', token))).toBe('url token');
	// Whatever else such a request says, its signature says nothing about it.
	expect(proof({ ...received(overNothing), rawBody: Buffer.alloc(0) })).toBeUndefined();
});
