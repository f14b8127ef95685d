import type { WebhookKeys } from '../secrets';
import { digestLength, minDigestLength } from './digest';
import { equals } from './equals';
import type { Headers } from './headers';
import type { Proof } from './proof';
import type { SignatureSettings, VerificationSettings } from './settings';
import {
	candidatesOf,
	findRightSignature,
	freshTimes,
	signaturesAmong,
	type Candidate,
} from './signature';

/** What of an event its verification looks at. */
export interface ReceivedEvent {
	headers: Headers;
	/** The token in the address to which it was sent, if there is one. */
	token: string | undefined;
	/** The exact bytes of the body; undefined when they are not known, and then no signature holds. */
	rawBody: Buffer | undefined;
}

/** A pinned signature: the named header holds the named digest, and its timestamp is recent. */
function verifySignature(
	{ headers, rawBody }: ReceivedEvent,
	secrets: readonly string[],
	settings: SignatureSettings,
	now: number,
): Proof | undefined {
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
): Proof | undefined {
	const signatures = signaturesAmong(candidates);
	if (rawBody === undefined || signatures.length === 0) return undefined;
	const times = freshTimes(headers, Object.keys(headers), usualToleranceSeconds, now);
	return findRightSignature(rawBody, secrets, signatures, [undefined, ...times]);
}

/** Any proof that the sender knows the keys, the strongest first. */
function findProof(
	event: ReceivedEvent,
	keys: readonly WebhookKeys[],
	now: number,
): Proof | undefined {
	const { headers, token } = event;
	const secrets = keys.map(({ secret }) => secret);
	const shortest = Math.min(minDigestLength, ...secrets.map(({ length }) => length));
	const candidates = candidatesOf(headers, Object.keys(headers), shortest);
	const signature = findSignature(event, secrets, candidates, now);
	if (signature !== undefined) return signature;
	const holder = candidates.find(({ text }) => secrets.some((secret) => equals(text, secret)));
	if (holder !== undefined) {
		return { kind: 'secret', name: `secret header:${holder.header}`, header: holder.header };
	}
	const isToken = token !== undefined && keys.some((known) => equals(token, known.token));
	return isToken ? { kind: 'url token', name: 'url token' } : undefined;
}

/**
 * Whether an event comes from somebody who knows the keys. Whatever the headers hold, it never
 * throws.
 *
 * @param keys any of them will do; those with an empty secret never do, for everybody knows it
 * @param now milliseconds of the clock
 * @returns the proof, or undefined when there is none
 */
export function verify(
	event: ReceivedEvent,
	keys: readonly WebhookKeys[],
	settings: VerificationSettings,
	now: number,
): Proof | undefined {
	const usable = keys.filter(({ secret }) => secret !== '');
	if (settings.mode === 'automatic') return findProof(event, usable, now);
	const secrets = usable.map(({ secret }) => secret);
	return verifySignature(event, secrets, settings.signature, now);
}
