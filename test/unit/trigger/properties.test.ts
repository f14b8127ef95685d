import fc from 'fast-check';

import {
	body,
	event,
	overBody,
	overTimestampAndBody,
	timestamp,
	token,
	verdictOf,
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
const name = fc.oneof(fc.constantFrom(...names), fc.string());
const header = fc.tuple(name, fc.oneof(text, fc.array(text), fc.constant(undefined)));
const headers = fc.array(header).map((entries) => Object.fromEntries(entries));
const bytes = fc.uint8Array().map((content) => Buffer.from(content));

const situations = {
	requiredProof: fc.constantFrom(
		...['', 'url token', 'secret header:x-signature'],
		'signature header:x-signature sha256 hex body',
		'signature header:x-signature sha1 base64 timestamp.body timestamp:x-time',
	),
	toleranceSeconds: fc.integer({ min: 1 }),
	strongest: fc.constantFrom(undefined, 'url token', 'secret', 'signature'),
	at: fc.integer({ min: 1_699_000_000_000, max: 1_701_000_000_000 }),
};

/** Whatever is drawn, no proof is found. */
function expectNone(forgeries: fc.Arbitrary<Parameters<typeof verdictOf>>): void {
	const check = fc.property(forgeries, (forgery) => {
		expect(['noProof', 'tooOld', 'weaker']).toContain(verdictOf(...forgery));
	});
	fc.assert(check, { numRuns: 2_000 });
}

/** A text with one character replaced, left out or added. */
function mutationOf(original: string): fc.Arbitrary<string> {
	return fc
		.tuple(fc.nat(original.length), fc.string({ maxLength: 1 }), fc.nat(1))
		.map(([at, insert, gone]) => original.slice(0, at) + insert + original.slice(at + gone))
		.filter((mutation) => mutation !== original);
}

test('never throws, and finds no proof in what was made without the secret', () => {
	const secrets = fc.array(fc.constantFrom('another secret', ''));
	const tokens = fc.tuple(fc.oneof(fc.string(), fc.constantFrom(token, '')));
	const forged = fc.record({ headers, tokens, rawBody: bytes });
	expectNone(fc.tuple(forged, fc.record({ ...situations, secrets })));
});

test('finds no proof for other bytes than those that were signed', () => {
	const others = fc.oneof(
		bytes,
		mutationOf(body).map((text) => Buffer.from(text)),
	);
	const rawBody = others.filter((content) => !content.equals(Buffer.from(body)));
	const forged = fc.record({ headers, tokens: fc.constant([]), rawBody });
	expectNone(fc.tuple(forged, fc.record(situations)));
});

/** Hex stays the same in upper case; blanks, quotes and separators around a value are no part of it. */
function meansTheSame(mutation: string, original: string, isHex: boolean): boolean {
	const fold = (part: string) => (isHex ? part.toLowerCase() : part);
	return mutation.split(/[\s,;"]+|^[\w-]{1,20}[=:]/).some((part) => fold(part) === original);
}

test.each(Object.entries(overBody))('%s with one character changed is no proof', (form, value) => {
	const mutations = mutationOf(value).filter(
		(mutation) => !meansTheSame(mutation, value, form.endsWith('hex')),
	);
	expectNone(fc.tuple(mutations.map((mutation) => event({ 'x-signature': mutation }))));
});

test('a token with one character changed is no proof', () => {
	expectNone(fc.tuple(mutationOf(token).map((mutation) => event({}, mutation))));
});
