import { createHmac } from 'crypto';

import { equals } from './equals';
import type { Algorithm, Encoding } from './settings';

const digestBytes: Record<Algorithm, number> = { sha512: 64, sha256: 32, sha1: 20 };

/** The strongest first. */
export const algorithms: readonly Algorithm[] = ['sha512', 'sha256', 'sha1'];

/** How many characters a digest has, and so how long a header must be to hold one. */
export function digestLength(algorithm: Algorithm, encoding: Encoding): number {
	const bytes = digestBytes[algorithm];
	return encoding === 'hex' ? bytes * 2 : Math.ceil(bytes / 3) * 4;
}

/** Characters of the shortest digest there is. */
export const shortestDigest = digestLength('sha1', 'base64');

/** How a digest of this algorithm and encoding looks: length and characters. */
function looksLike(candidate: string, algorithm: Algorithm, encoding: Encoding): boolean {
	const characters = encoding === 'hex' ? /^[0-9a-f]+$/i : /^[A-Za-z0-9+/]+=*$/;
	return candidate.length === digestLength(algorithm, encoding) && characters.test(candidate);
}

export function digest(
	algorithm: Algorithm,
	secret: string,
	timestamp: string | undefined,
	rawBody: Buffer,
): Buffer {
	const hmac = createHmac(algorithm, secret);
	if (timestamp !== undefined) hmac.update(`${timestamp}.`);
	return hmac.update(rawBody).digest();
}

/** Whether a text is the digest in this encoding, in the one spelling it has (hex in either case). */
export function isSignature(
	candidate: string,
	encoding: Encoding,
	expected: () => Buffer,
	algorithm: Algorithm,
): boolean {
	if (!looksLike(candidate, algorithm, encoding)) return false;
	const text = encoding === 'hex' ? candidate.toLowerCase() : candidate;
	return equals(text, expected().toString(encoding));
}

/** A digest is computed only when a candidate has its form, so that a flood of forgeries is cheap. */
export function once<Value>(compute: () => Value): () => Value {
	let value: Value | undefined;
	return () => (value ??= compute());
}
