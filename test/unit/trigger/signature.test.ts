import { kindOf, verify } from '../../../nodes/PaymentPageTrigger/verification/verify';
import {
	algorithms,
	anyProof,
	encodings,
	event,
	keys,
	now,
	overBody,
	overTimestampAndBody,
	proofOf,
	secret,
	timestamp,
	token,
} from './vectors';

const contents = [
	['body', overBody],
	['timestamp.body timestamp:x-time', overTimestampAndBody],
] as const;

const combinations = contents.flatMap(([content, digests]) =>
	algorithms.flatMap((algorithm) =>
		encodings.map((encoding) => ({
			name: `signature header:x-signature ${algorithm} ${encoding} ${content}`,
			digest: digests[algorithm][encoding],
		})),
	),
);

const headersWith = (digest: string | string[], time = timestamp) => ({
	'x-signature': digest,
	'x-time': time,
});

describe.each(combinations)('required: $name', ({ name, digest }) => {
	test('is what the proof is named without it', () => {
		expect(proofOf(event(headersWith(digest)))).toBe(name);
		expect(kindOf(name)).toBe('signature');
	});

	test('accepts exactly this signature', () => {
		expect(proofOf(event(headersWith(digest)), { requiredProof: name })).toBe(name);
	});

	test('accepts no other proof, alone or beside others', () => {
		for (const other of combinations) {
			if (other.name === name) continue;
			const received = event({ ...headersWith(other.digest), 'x-secret': secret }, token);
			expect(proofOf(received, { requiredProof: name })).toBeUndefined();
		}
		const others = combinations.filter((other) => other.name !== name);
		const all = event({
			'x-other': others.map((other) => other.digest),
			...headersWith(digest),
		});
		expect(proofOf(all, { requiredProof: name })).toBe(name);
	});
});

test.each([
	['url token', event({ 'x-signature': overBody.sha256.hex }, token)],
	['secret header:x-secret', event({ 'x-signature': overBody.sha256.hex, 'x-secret': secret })],
])('required: %s is enough although a signature is there, and was learned', (name, received) => {
	expect(proofOf(received, { requiredProof: name, strongest: 'signature' })).toBe(name);
	expect(proofOf(event({ 'x-other': secret }), { requiredProof: name })).toBeUndefined();
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

describe('the time in a required proof', () => {
	const requiredProof = 'signature header:x-signature sha256 hex timestamp.body timestamp:x-time';
	const digest = overTimestampAndBody.sha256.hex;
	const demand = { requiredProof, toleranceSeconds: 300 };

	test.each([
		['just now', 0, true],
		['300 s ago', 300, true],
		['301 s ago', 301, false],
		['in 300 s', -300, true],
		['in 301 s', -301, false],
	])('%s', (_, secondsAgo, isAccepted) => {
		const at = (Number(timestamp) + secondsAgo) * 1000;
		expect(proofOf(event(headersWith(digest)), { ...demand, at }) !== undefined).toBe(isAccepted);
	});

	test('that is too old is told from a wrong signature', () => {
		const at = now + 3_600_000;
		const received = event(headersWith(digest));
		expect(verify(received, [keys], { ...anyProof, ...demand }, at).rejection).toBe('tooOld');
		const wrong = event(headersWith('0'.repeat(64)));
		expect(verify(wrong, [keys], { ...anyProof, ...demand }, at).rejection).toBe('noProof');
	});

	test('is signed: a fresh one over an old signature does not count', () => {
		const later = Number(timestamp) + 86_400;
		const received = event(headersWith(digest, String(later)));
		expect(proofOf(received, { ...demand, at: later * 1000 })).toBeUndefined();
	});

	test('is not searched for among many: each would cost a digest of the body', () => {
		const others = Array.from({ length: 600 }, (_, index) => String(now / 1000 - index / 100));
		const received = event({ 'x-signature': digest, 'x-time': [...others, '1600000000'] });
		expect(proofOf(received, demand)).toBeUndefined();
	});
});

describe('what was learned', () => {
	test.each([
		['signature', event({}, token), 'weaker'],
		['signature', event({ 'x-secret': secret }), 'weaker'],
		['secret', event({}, token), 'weaker'],
		['secret', event({ 'x-secret': secret }), undefined],
		['url token', event({}, token), undefined],
		['signature', event({ 'x-signature': overBody.sha1.hex }), undefined],
	] as const)('%s, and then something else', (strongest, received, rejection) => {
		expect(verify(received, [keys], { ...anyProof, strongest }, now).rejection).toBe(rejection);
	});

	test('a right signature that is too old is no weaker proof, but an old one', () => {
		const received = event(headersWith(overTimestampAndBody.sha256.hex), token);
		const demand = { ...anyProof, strongest: 'signature' } as const;
		const later = now + 30 * 24 * 3_600_000;
		expect(verify(received, [keys], demand, later).rejection).toBe('tooOld');
		expect(verify(received, [keys], anyProof, later).proof?.name).toBe('url token');
	});
});

test('no signature counts when the bytes are not known', () => {
	const received = { ...event({ 'x-signature': overBody.sha256.hex }, token), rawBody: undefined };
	expect(proofOf(received)).toBe('url token');
});
