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
export const minDigestLength = digestLength('sha1', 'base64');

const characters: Record<Encoding, RegExp> = { hex: /^[0-9a-f]+$/i, base64: /^[A-Za-z0-9+/]+=*$/ };

/** An algorithm and how its digest is written. */
export interface DigestForm {
	algorithm: Algorithm;
	encoding: Encoding;
}

const forms: DigestForm[] = algorithms.flatMap((algorithm) =>
	(['hex', 'base64'] as const).map((encoding) => ({ algorithm, encoding })),
);

/** The form in which a text may be a digest; no two of them have the same length. */
export function formOf(text: string): DigestForm | undefined {
	return forms.find(
		({ algorithm, encoding }) =>
			text.length === digestLength(algorithm, encoding) && characters[encoding].test(text),
	);
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
export function isDigest(text: string, encoding: Encoding, expected: Buffer): boolean {
	return equals(encoding === 'hex' ? text.toLowerCase() : text, expected.toString(encoding));
}
