import fc from 'fast-check';

import { verify, type Demand } from '../../../nodes/PaymentPageTrigger/verification/verify';
import {
	algorithms,
	anyProof,
	body,
	encodings,
	event,
	keys,
	keysOf,
	now,
	overBody,
	overTimestampAndBody,
	timestamp,
	token,
} from './vectors';

/** Everything that is right about the event, to be mixed into what a forger sends. */
const rightTexts = [
	timestamp,
	...[overBody, overTimestampAndBody].flatMap((digests) =>
		algorithms.flatMap((algorithm) => encodings.map((encoding) => digests[algorithm][encoding])),
	),
];

const names = ['x-signature', 'x-time', 'constructor', '__proto__', 'toString', 'authorization'];

const headerName = fc.oneof(fc.constantFrom(...names), fc.string());

/** Text as a server may see it, and text that is nearly a proof. */
const text = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary' }),
	fc.constantFrom(...rightTexts, '', 't=abc', '"', '=', ','),
	fc.tuple(fc.string(), fc.constantFrom(...rightTexts), fc.string()).map((parts) => parts.join('')),
);

const headers = fc
	.array(fc.tuple(headerName, fc.oneof(text, fc.array(text), fc.constant(undefined))))
	.map((entries) => Object.fromEntries(entries));

const demands: fc.Arbitrary<Demand> = fc.record({
	requiredProof: fc.oneof(
		fc.constantFrom('', 'url token', 'secret header:x-signature'),
		fc.constantFrom(
			'signature header:x-signature sha256 hex body',
			'signature header:x-signature sha1 base64 timestamp.body timestamp:x-time',
		),
	),
	toleranceSeconds: fc.integer({ min: 1 }),
	strongest: fc.constantFrom(undefined, 'url token', 'secret', 'signature'),
});

const bytes = fc.uint8Array().map((content) => Buffer.from(content));

const runs = { numRuns: 2_000 };

test('never throws, and finds no proof in what was made without the secret', () => {
	const secrets = fc.array(fc.oneof(fc.constant('another secret'), fc.constant('')));
	const given = fc.oneof(fc.string(), fc.constant(undefined), fc.constant(token));
	fc.assert(
		fc.property(headers, given, bytes, secrets, demands, fc.integer(), (...drawn) => {
			const [received, itsToken, rawBody, others, how, clock] = drawn;
			const result = verify(
				{ headers: received, tokens: itsToken === undefined ? [] : [itsToken], rawBody },
				others.map(keysOf),
				how,
				now + clock,
			);
			expect(result.proof).toBeUndefined();
		}),
		runs,
	);
});

test('finds no proof for other bytes than those that were signed', () => {
	const otherBytes = fc.oneof(
		bytes,
		fc.nat(Buffer.byteLength(body)).map((length) => Buffer.from(body).subarray(0, length)),
		fc.tuple(fc.nat(Buffer.byteLength(body) - 1), fc.integer({ min: 1, max: 255 })),
	);
	fc.assert(
		fc.property(headers, otherBytes, demands, (received, other, how) => {
			const rawBody = Buffer.isBuffer(other) ? other : Buffer.from(body);
			if (Array.isArray(other)) rawBody[other[0]] = (rawBody[other[0]] ?? 0) ^ other[1];
			fc.pre(!rawBody.equals(Buffer.from(body)));
			expect(
				verify({ headers: received, tokens: [], rawBody }, [keys], how, now).proof,
			).toBeUndefined();
		}),
		runs,
	);
});

/** A text with one character replaced, left out or added. */
function mutationOf(original: string): fc.Arbitrary<string> {
	const edit = fc.record({
		at: fc.nat(original.length),
		remove: fc.boolean(),
		insert: fc.oneof(fc.constant(''), fc.string({ minLength: 1, maxLength: 1 })),
	});
	return edit.map(
		({ at, remove, insert }) =>
			original.slice(0, at) + insert + original.slice(remove ? at + 1 : at),
	);
}

/** Hex stays the same in upper case; blanks, quotes and separators around a value are no part of it. */
function meansTheSame(mutation: string, original: string): boolean {
	const parts = mutation.split(/[\s,;"]+|^[\w-]{1,20}[=:]/);
	return parts.some((part) => part.toLowerCase() === original.toLowerCase());
}

test.each(
	algorithms.flatMap((algorithm) => encodings.map((encoding) => [algorithm, encoding] as const)),
)('a signature in %s, %s, with one character changed is no proof', (algorithm, encoding) => {
	const original = overBody[algorithm][encoding];
	fc.assert(
		fc.property(mutationOf(original), (mutation) => {
			fc.pre(encoding === 'hex' ? !meansTheSame(mutation, original) : mutation !== original);
			fc.pre(!mutation.split(/[\s,;"]+|^[\w-]{1,20}[=:]/).includes(original));
			const received = event({ 'x-signature': mutation });
			expect(verify(received, [keys], anyProof, now).proof).toBeUndefined();
		}),
		runs,
	);
});

test('a token with one character changed is no proof', () => {
	fc.assert(
		fc.property(mutationOf(token), (mutation) => {
			fc.pre(mutation !== token);
			const received = event({}, mutation);
			expect(verify(received, [keys], anyProof, now).proof).toBeUndefined();
		}),
		runs,
	);
});
