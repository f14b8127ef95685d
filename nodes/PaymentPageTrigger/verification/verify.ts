import { deriveUrlToken } from '../../shared/secrets';
import { algorithms, digest, digestLength, isSignature, once, shortestDigest } from './digest';
import { equals } from './equals';
import { candidatesIn, headerValues } from './headers';
import type { Headers } from './headers';
import type {
	Algorithm,
	Encoding,
	SignatureSettings,
	SignedContent,
	VerificationSettings,
} from './settings';
import { isFresh, timestampsIn } from './timestamp';

/** What of an event its verification looks at. */
export interface ReceivedEvent {
	headers: Headers;
	/** The value of `token` in the query, as the server parsed it. */
	token: unknown;
	/** The exact bytes of the body; undefined when they are not known, and then no signature holds. */
	rawBody: Buffer | undefined;
}

/** The empty secret verifies nothing: everybody knows it. */
function usable(secrets: readonly string[]): string[] {
	return secrets.filter((secret) => secret !== '');
}

/** Names a signature so that the user can pin each of its parts. */
function signatureName(
	algorithm: Algorithm,
	encoding: Encoding,
	header: string,
	timestampHeader: string | undefined,
): string {
	const content: SignedContent = timestampHeader === undefined ? 'body' : 'timestampDotBody';
	const suffix = timestampHeader === undefined ? '' : ` timestamp:${timestampHeader}`;
	return `signature header:${header} ${algorithm} ${encoding} ${content}${suffix}`;
}

/** For each time a digest is computed: more of them would be a way to make forgeries dear. */
const mostTimestamps = 2;

/** A pinned signature: the named header holds the named digest, and its timestamp is recent. */
function verifySignature(
	event: ReceivedEvent,
	secrets: readonly string[],
	settings: SignatureSettings,
	now: number,
): string | undefined {
	const { signatureHeader, algorithm, encoding, signedContent, timestampHeader } = settings;
	const { rawBody } = event;
	if (rawBody === undefined) return undefined;
	const timestamps =
		signedContent === 'body'
			? [undefined]
			: timestampsIn(headerValues(event.headers, timestampHeader))
					.filter((timestamp) => isFresh(timestamp, now, settings.toleranceSeconds))
					.slice(0, mostTimestamps);
	const candidates = headerValues(event.headers, signatureHeader).flatMap((value) =>
		candidatesIn(value, digestLength(algorithm, encoding)),
	);
	for (const secret of usable(secrets)) {
		for (const timestamp of timestamps) {
			const expected = once(() => digest(algorithm, secret, timestamp, rawBody));
			if (candidates.some((text) => isSignature(text, encoding, expected, algorithm))) {
				const timestampName = timestamp === undefined ? undefined : timestampHeader;
				return signatureName(algorithm, encoding, signatureHeader, timestampName);
			}
		}
	}
	return undefined;
}

/** A signature over an older or later time is a repetition, and no proof. */
const usualToleranceSeconds = 300;

interface Candidate {
	header: string;
	text: string;
}

/** Any header may hold a signature over the body, or over a timestamp of another header and it. */
function findSignature(
	event: ReceivedEvent,
	secrets: readonly string[],
	candidates: readonly Candidate[],
	now: number,
): string | undefined {
	const { rawBody } = event;
	if (rawBody === undefined) return undefined;
	const timestampHeaders = Object.keys(event.headers).flatMap((header) =>
		timestampsIn(headerValues(event.headers, header))
			.filter((timestamp) => isFresh(timestamp, now, usualToleranceSeconds))
			.map((timestamp) => ({ header, timestamp })),
	);
	const contents = [undefined, ...timestampHeaders.slice(0, mostTimestamps)];
	for (const algorithm of algorithms) {
		for (const content of contents) {
			for (const secret of secrets) {
				const expected = once(() => digest(algorithm, secret, content?.timestamp, rawBody));
				for (const { header, text } of candidates) {
					for (const encoding of ['hex', 'base64'] as const) {
						if (isSignature(text, encoding, expected, algorithm)) {
							return signatureName(algorithm, encoding, header, content?.header);
						}
					}
				}
			}
		}
	}
	return undefined;
}

/** Any proof that the sender knows the secret, the strongest first. */
function findProof(
	event: ReceivedEvent,
	secrets: readonly string[],
	now: number,
): string | undefined {
	const shortest = Math.min(shortestDigest, ...secrets.map(({ length }) => length));
	const candidates = Object.keys(event.headers).flatMap((header) =>
		headerValues(event.headers, header)
			.flatMap((value) => candidatesIn(value, shortest))
			.map((text) => ({ header, text })),
	);
	const signature = findSignature(event, secrets, candidates, now);
	if (signature !== undefined) return signature;
	const holder = candidates.find(({ text }) => secrets.some((secret) => equals(text, secret)));
	if (holder !== undefined) return `secret header:${holder.header}`;
	const { token } = event;
	if (
		typeof token === 'string' &&
		secrets.some((secret) => equals(token, deriveUrlToken(secret)))
	) {
		return 'url token';
	}
	return undefined;
}

/**
 * Whether an event comes from somebody who knows the secret. Whatever the headers hold, it never
 * throws.
 *
 * @param secrets any of them will do; an empty one never does
 * @param now milliseconds of the clock
 * @returns the proof by name, or undefined when there is none
 */
export function verify(
	event: ReceivedEvent,
	secrets: readonly string[],
	settings: VerificationSettings,
	now: number,
): string | undefined {
	return settings.mode === 'signature'
		? verifySignature(event, secrets, settings.signature, now)
		: findProof(event, usable(secrets), now);
}
