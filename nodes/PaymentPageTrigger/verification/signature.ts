import { algorithms, digest, formOf, isDigest, type DigestForm } from './digest';
import { candidatesIn, headerValues, type Headers } from './headers';
import type { Proof } from './proof';
import type { SignedContent } from './settings';
import { isFresh, timestampsIn } from './timestamp';

/** A text in a header that may be a proof. */
export interface Candidate {
	header: string;
	text: string;
}

/** A text in a header that has the form of a signature. */
export interface Signature extends Candidate, DigestForm {}

/** A time that may be signed together with the body. */
export interface SignedTime {
	header: string;
	timestamp: string;
}

/** For each time a digest is computed: more of them would be a way to make forgeries costly. */
const maxTimes = 2;

/** @param shortest characters that a proof has at least */
export function candidatesOf(
	headers: Headers,
	names: readonly string[],
	shortest: number,
): Candidate[] {
	return names.flatMap((header) =>
		headerValues(headers, header)
			.flatMap((value) => candidatesIn(value, shortest))
			.map((text) => ({ header, text })),
	);
}

export function signaturesAmong(candidates: readonly Candidate[]): Signature[] {
	return candidates.flatMap((candidate) => {
		const form = formOf(candidate.text);
		return form === undefined ? [] : [{ ...candidate, ...form }];
	});
}

/** @param now milliseconds of the clock */
export function freshTimes(
	headers: Headers,
	names: readonly string[],
	toleranceSeconds: number,
	now: number,
): SignedTime[] {
	return names
		.flatMap((header) =>
			timestampsIn(headerValues(headers, header))
				.filter((timestamp) => isFresh(timestamp, now, toleranceSeconds))
				.map((timestamp) => ({ header, timestamp })),
		)
		.slice(0, maxTimes);
}

/** Names a signature so that the user can pin each of its parts. */
function toProof({ header, algorithm, encoding }: Signature, time: SignedTime | undefined): Proof {
	const content: SignedContent = time === undefined ? 'body' : 'timestampDotBody';
	const suffix = time === undefined ? '' : ` timestamp:${time.header}`;
	const name = `signature header:${header} ${algorithm} ${encoding} ${content}${suffix}`;
	return { kind: 'signature', name, header };
}

/**
 * Finds a signature that is right, of the strongest algorithm first. A digest is computed only for an
 * algorithm of which there is one, so that a flood of forgeries is cheap.
 *
 * @param times with which the body may be signed; undefined for the body alone
 */
export function findRightSignature(
	rawBody: Buffer,
	secrets: readonly string[],
	signatures: readonly Signature[],
	times: ReadonlyArray<SignedTime | undefined>,
): Proof | undefined {
	for (const algorithm of algorithms) {
		const ofAlgorithm = signatures.filter((signature) => signature.algorithm === algorithm);
		if (ofAlgorithm.length === 0) continue;
		for (const time of times) {
			for (const secret of secrets) {
				const expected = digest(algorithm, secret, time?.timestamp, rawBody);
				const right = ofAlgorithm.find(({ text, encoding }) => isDigest(text, encoding, expected));
				if (right !== undefined) return toProof(right, time);
			}
		}
	}
	return undefined;
}
