import fc from 'fast-check';

import { verify, type Demand } from '../../../nodes/PaymentPageTrigger/verification/verify';
import {
	anyProof,
	body,
	event,
	keys,
	keysOf,
	now,
	overBody,
	overTimestampAndBody,
	timestamp,
	token,
} from './vectors';

/** What is right about the event, to be mixed into what a forger sends. */
const rightTexts = [timestamp, overTimestampAndBody, ...Object.values(overBody)];

const names = ['x-signature', 'x-time', 'constructor', '__proto__', 'toString', 'authorization'];

/** Text as a server may see it, and text that is nearly a proof. */
const text = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary' }),
	fc.constantFrom(...rightTexts, '', 't=abc', '"', '=', ','),
	fc.tuple(fc.string(), fc.constantFrom(...rightTexts), fc.string()).map((parts) => parts.join('')),
);
const header = fc.tuple(
	fc.oneof(fc.constantFrom(...names), fc.string()),
	fc.oneof(text, fc.array(text), fc.constant(undefined)),
);
const headers = fc.array(header).map((entries) => Object.fromEntries(entries));

const demands: fc.Arbitrary<Demand> = fc.record({
	requiredProof: fc.constantFrom(
		'',
		'url token',
		'secret header:x-signature',
		'signature header:x-signature sha256 hex body',
		'signature header:x-signature sha1 base64 timestamp.body timestamp:x-time',
	),
	toleranceSeconds: fc.integer({ min: 1 }),
	strongest: fc.constantFrom(undefined, 'url token', 'secret', 'signature'),
});

const bytes = fc.uint8Array().map((content) => Buffer.from(content));

const runs = { numRuns: 2_000 };

test('never throws, and finds no proof in what was made without the secret', () => {
	const secrets = fc.array(fc.constantFrom('another secret', ''));
	const tokens = fc.tuple(fc.oneof(fc.string(), fc.constantFrom(token, '')));
	const forged = fc.record({ headers, tokens, rawBody: bytes });
	fc.assert(
		fc.property(forged, secrets, demands, fc.integer(), (received, others, how, clock) => {
			expect(verify(received, others.map(keysOf), how, now + clock).proof).toBeUndefined();
		}),
		runs,
	);
});

test('finds no proof for other bytes than those that were signed', () => {
	const signed = Buffer.from(body);
	const place = { at: fc.nat(signed.length - 1), change: fc.integer({ min: 1, max: 255 }) };
	const otherBytes = fc.oneof(
		bytes,
		fc.nat(signed.length).map((length) => signed.subarray(0, length)),
		fc.record(place).map(({ at, change }) => {
			return Buffer.from(signed.map((byte, index) => (index === at ? byte ^ change : byte)));
		}),
	);
	fc.assert(
		fc.property(headers, otherBytes, demands, (received, rawBody, how) => {
			fc.pre(!rawBody.equals(signed));
			const forged = { headers: received, tokens: [], rawBody };
			expect(verify(forged, [keys], how, now).proof).toBeUndefined();
		}),
		runs,
	);
});

/** A text with one character replaced, left out or added. */
function mutationOf(original: string): fc.Arbitrary<string> {
	return fc
		.tuple(fc.nat(original.length), fc.string({ maxLength: 1 }), fc.nat(1))
		.map(([at, insert, gone]) => original.slice(0, at) + insert + original.slice(at + gone));
}

/** Hex stays the same in upper case; blanks, quotes and separators around a value are no part of it. */
function meansTheSame(mutation: string, original: string, isHex: boolean): boolean {
	const fold = (part: string) => (isHex ? part.toLowerCase() : part);
	return mutation.split(/[\s,;"]+|^[\w-]{1,20}[=:]/).some((part) => fold(part) === original);
}

test.each([...Object.entries(overBody), ['token', token] as const])(
	'a proof by %s with one character changed is none',
	(form, original) => {
		fc.assert(
			fc.property(mutationOf(original), (mutation) => {
				fc.pre(mutation !== original);
				fc.pre(form === 'token' || !meansTheSame(mutation, original, form.endsWith('hex')));
				const forged = form === 'token' ? event({}, mutation) : event({ 'x-signature': mutation });
				expect(verify(forged, [keys], anyProof, now).proof).toBeUndefined();
			}),
			runs,
		);
	},
);
