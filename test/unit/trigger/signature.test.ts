import type {
	SignatureSettings,
	SignedContent,
} from '../../../nodes/PaymentPageTrigger/verification/settings';
import { verify } from '../../../nodes/PaymentPageTrigger/verification/verify';
import {
	algorithms,
	encodings,
	event,
	keysOf,
	now,
	overBody,
	overTimestampAndBody,
	secret,
	timestamp,
	token,
} from './vectors';

const usual: SignatureSettings = {
	signatureHeader: 'x-signature',
	algorithm: 'sha256',
	encoding: 'hex',
	signedContent: 'body',
	timestampHeader: '',
	toleranceSeconds: 300,
};

const timestamped: SignatureSettings = {
	...usual,
	signedContent: 'timestampDotBody',
	timestampHeader: 'x-time',
};

type Event = ReturnType<typeof event>;

function proof(received: Event, signature: SignatureSettings, secrets = [secret], at = now) {
	return verify(received, secrets.map(keysOf), { mode: 'signature', signature }, at)?.name;
}

const contents: Array<[SignedContent, SignatureSettings, typeof overBody]> = [
	['body', usual, overBody],
	['timestampDotBody', timestamped, overTimestampAndBody],
];

const combinations = contents.flatMap(([content, settings, digests]) =>
	algorithms.flatMap((algorithm) =>
		encodings.map((encoding) => ({ content, settings, digests, algorithm, encoding })),
	),
);

describe.each(combinations)(
	'pinned to $algorithm, $encoding, $content',
	({ content, settings, digests, algorithm, encoding }) => {
		const pinned = { ...settings, algorithm, encoding };
		const headers = (value: string) => ({ 'x-signature': value, 'x-time': timestamp });

		test('accepts exactly this signature, by its full name', () => {
			const timestampName = content === 'body' ? '' : ' timestamp:x-time';
			expect(proof(event(headers(digests[algorithm][encoding])), pinned)).toBe(
				`signature header:x-signature ${algorithm} ${encoding} ${content}${timestampName}`,
			);
		});

		test('accepts no other algorithm, encoding or content', () => {
			const others = [overBody, overTimestampAndBody]
				.flatMap((all) => algorithms.flatMap((other) => Object.values(all[other])))
				.filter((digest) => digest !== digests[algorithm][encoding]);
			expect(others).toHaveLength(11);
			for (const other of others) expect(proof(event(headers(other)), pinned)).toBeUndefined();
		});
	},
);

test.each([
	['the secret in the header', { 'x-signature': secret }, undefined],
	['the secret in another header', { 'x-secret': secret }, undefined],
	['the token', {}, token],
	['the signature in another header', { 'x-other': overBody.sha256.hex }, undefined],
	['an empty header', { 'x-signature': '' }, token],
	['a header that is not there', { 'x-signature': undefined }, token],
])('does not accept %s', (_, headers, given) => {
	expect(proof(event(headers, given), usual)).toBeUndefined();
});

test.each(['constructor', '__proto__', 'toString'])(
	'does not take what every object inherits for a header named %s',
	(name) => {
		expect(proof(event({}), { ...usual, signatureHeader: name })).toBeUndefined();
		const headers = Object.fromEntries([[name, overBody.sha256.hex]]);
		expect(proof(event(headers), { ...usual, signatureHeader: name })).toBeDefined();
	},
);

test('accepts any signature of a list, and any of several secrets', () => {
	const headers = { 'x-signature': [`v1=${'0'.repeat(64)}`, `v1=${overBody.sha256.hex}`] };
	expect(proof(event(headers), usual, ['old secret', secret])).toBeDefined();
	expect(proof(event(headers), usual, ['old secret', ''])).toBeUndefined();
});

describe('the timestamp', () => {
	const headers = (value: string | string[]) => ({
		'x-signature': overTimestampAndBody.sha256.hex,
		'x-time': value,
	});

	test.each([
		['just now', 0, true],
		['300 s ago', 300, true],
		['301 s ago', 301, false],
		['in 300 s', -300, true],
		['in 301 s', -301, false],
		['a year ago', 31_536_000, false],
	])('%s', (_, secondsAgo, accepted) => {
		const at = (Number(timestamp) + secondsAgo) * 1000;
		expect(proof(event(headers(timestamp)), timestamped, [secret], at) !== undefined).toBe(
			accepted,
		);
	});

	test.each([
		'abc',
		't=abc',
		't=',
		'',
		'0',
		'-1700000000',
		'NaN',
		'Infinity',
		'1700000000000000000',
		'１７０００００００００',
	])('%j is refused', (value) => {
		expect(proof(event(headers(value)), timestamped)).toBeUndefined();
	});

	test('of another name is not looked at', () => {
		const received = event({ 'x-signature': overTimestampAndBody.sha256.hex, 'x-date': timestamp });
		expect(proof(received, timestamped)).toBeUndefined();
	});

	test('is signed: a fresh one over an old signature is refused', () => {
		const later = Number(timestamp) + 86_400;
		const received = event(headers(String(later)));
		expect(proof(received, timestamped, [secret], later * 1000)).toBeUndefined();
	});

	test('may stand in the header of the signature', () => {
		const value = `t=${timestamp},v1=${overTimestampAndBody.sha256.hex}`;
		const settings = { ...timestamped, timestampHeader: 'x-signature' };
		expect(proof(event({ 'x-signature': value }), settings)).toBeDefined();
	});

	test('is found among two', () => {
		expect(proof(event(headers(['1', timestamp])), timestamped)).toBeDefined();
	});

	test('is not searched for among many: each would cost a digest of the body', () => {
		const others = Array.from({ length: 600 }, (_, index) => String(Number(timestamp) - index - 1));
		expect(proof(event(headers([...others, timestamp])), timestamped)).toBeUndefined();
	});
});

test('accepts nothing when the bytes are not known', () => {
	const received = { headers: { 'x-signature': overBody.sha256.hex }, token, rawBody: undefined };
	expect(proof(received, usual)).toBeUndefined();
});
