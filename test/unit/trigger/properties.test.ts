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

/** Everything that is right about the event, to be mixed into what a forger sends. */
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
	const given = fc.oneof(fc.string(), fc.constantFrom(token, ''));
	fc.assert(
		fc.property(headers, given, bytes, secrets, demands, fc.integer(), (...drawn) => {
			const [received, itsToken, rawBody, others, how, clock] = drawn;
			const forged = { headers: received, tokens: [itsToken], rawBody };
			expect(verify(forged, others.map(keysOf), how, now + clock).proof).toBeUndefined();
		}),
		runs,
	);
});

test('finds no proof for other bytes than those that were signed', () => {
	const signed = Buffer.from(body);
	const otherBytes = fc.oneof(
		bytes,
		fc.nat(signed.length).map((length) => signed.subarray(0, length)),
		fc.tuple(fc.nat(signed.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, change]) => {
			const changed = Buffer.from(signed);
			changed[at] = (changed[at] ?? 0) ^ change;
			return changed;
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
