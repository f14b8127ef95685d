import { deriveUrlToken } from '../../shared/secrets';
import { digestLength, shortestDigest } from './digest';
import { equals } from './equals';
import type { Headers } from './headers';
import type { SignatureSettings, VerificationSettings } from './settings';
import { candidatesOf, findRightSignature, freshTimes, signaturesAmong } from './signature';
import type { Candidate } from './signature';

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

/** A pinned signature: the named header holds the named digest, and its timestamp is recent. */
function verifySignature(
	{ headers, rawBody }: ReceivedEvent,
	secrets: readonly string[],
	settings: SignatureSettings,
	now: number,
): string | undefined {
	const { signatureHeader, algorithm, encoding, signedContent, timestampHeader } = settings;
	if (rawBody === undefined) return undefined;
	const length = digestLength(algorithm, encoding);
	const signatures = signaturesAmong(candidatesOf(headers, [signatureHeader], length)).filter(
		(signature) => signature.algorithm === algorithm && signature.encoding === encoding,
	);
	const times =
		signedContent === 'body'
			? [undefined]
			: freshTimes(headers, [timestampHeader], settings.toleranceSeconds, now);
	return findRightSignature(rawBody, secrets, signatures, times);
}

/** A signature over an older or later time is a repetition, and no proof. */
const usualToleranceSeconds = 300;

/** Any header may hold a signature over the body, or over a timestamp of another header and it. */
function findSignature(
	{ headers, rawBody }: ReceivedEvent,
	secrets: readonly string[],
	candidates: readonly Candidate[],
	now: number,
): string | undefined {
	const signatures = signaturesAmong(candidates);
	if (rawBody === undefined || signatures.length === 0) return undefined;
	const times = freshTimes(headers, Object.keys(headers), usualToleranceSeconds, now);
	return findRightSignature(rawBody, secrets, signatures, [undefined, ...times]);
}

/** Any proof that the sender knows the secret, the strongest first. */
function findProof(
	event: ReceivedEvent,
	secrets: readonly string[],
	now: number,
): string | undefined {
	const { headers, token } = event;
	const shortest = Math.min(shortestDigest, ...secrets.map(({ length }) => length));
	const candidates = candidatesOf(headers, Object.keys(headers), shortest);
	const signature = findSignature(event, secrets, candidates, now);
	if (signature !== undefined) return signature;
	const holder = candidates.find(({ text }) => secrets.some((secret) => equals(text, secret)));
	if (holder !== undefined) return `secret header:${holder.header}`;
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
		? verifySignature(event, usable(secrets), settings.signature, now)
		: findProof(event, usable(secrets), now);
}
