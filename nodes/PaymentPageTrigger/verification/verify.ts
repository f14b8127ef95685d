import { candidatesIn, equals, findSignature, valuesOf, type Headers } from './signature';

/** What can prove that an event comes from the service, the weakest first. */
const kinds = ['url token', 'secret', 'signature'] as const;

export type ProofKind = (typeof kinds)[number];

export interface Proof {
	kind: ProofKind;
	/** For `verifiedBy`; `requiredProof` takes this text. */
	name: string;
}

/** Why an event is not verified. */
export type Rejection =
	| 'noProof'
	/** Its signature is right, but its time is too far from now. */
	| 'tooOld'
	/** It has a proof, but earlier events had a stronger one. */
	| 'weaker';

export type Verdict =
	| { proof: Proof; rejection?: undefined }
	| { proof?: undefined; rejection: Rejection };

/** What only n8n and the service know. */
export interface WebhookKeys {
	/** The secret that was registered; signatures are made with it. */
	secret: string;
	/** The token in the registered URL. */
	token: string;
}

/** What of an event its verification looks at. */
export interface ReceivedEvent {
	headers: Headers;
	/** The tokens in the address to which it was sent. */
	tokens: readonly string[];
	/** The exact bytes of the body; undefined when they are not known. */
	rawBody: Buffer | undefined;
}

/** What a proof has to be. */
export interface Demand {
	/** Name of the only proof that counts; '' for any. */
	requiredProof: string;
	/** How far a signed time may be from now, before or after. */
	toleranceSeconds: number;
	/** The strongest kind that earlier events had; nothing weaker counts, unless one is required. */
	strongest: ProofKind | undefined;
}

export function isProofKind(value: unknown): value is ProofKind {
	return kinds.some((kind) => kind === value);
}

/** Whether one kind proves more than another; any proves more than none. */
export function isStronger(kind: ProofKind, than: ProofKind | undefined): boolean {
	return than === undefined || kinds.indexOf(kind) > kinds.indexOf(than);
}

/** RFC 9110, 5.6.2: what a header name consists of, here in lower case. */
const name = "[!#$%&'*+.^_`|~0-9a-z-]+";

const signed = `body|timestamp\\.body timestamp:${name}|id\\.timestamp\\.body id:${name} timestamp:${name}`;

const proofName = new RegExp(
	`^(url token|secret header:${name}|signature header:${name} (sha512|sha256|sha1) (hex|base64) (${signed}))$`,
);

/** @returns the kind of a proof by its name; undefined for a text that names none */
export function kindOf(text: string): ProofKind | undefined {
	return proofName.test(text) ? kinds.find((kind) => text.startsWith(kind)) : undefined;
}

/** Characters of the shortest digest. Most headers are shorter, and need no closer look. */
const minDigestLength = 28;

/** Longer values hold no proof, and would only make forgeries costly. */
const maxValueLength = 2048;

function isRecent(time: number | undefined, toleranceSeconds: number, now: number): boolean {
	return time === undefined || Math.abs(now - time) <= toleranceSeconds * 1000;
}

/**
 * Whether an event comes from somebody who knows the keys. Whatever the headers hold, it never
 * throws.
 *
 * @param keys any of them will do; those with an empty secret never do, for everybody knows it
 * @param now milliseconds of the clock
 */
export function verify(
	{ headers, tokens, rawBody }: ReceivedEvent,
	keys: readonly WebhookKeys[],
	{ requiredProof, toleranceSeconds, strongest }: Demand,
	now: number,
): Verdict {
	const usable = keys.filter(({ secret }) => secret !== '');
	const secrets = usable.map(({ secret }) => secret);
	const shortest = Math.min(minDigestLength, ...secrets.map(({ length }) => length));
	const candidates = valuesOf(headers)
		.filter(({ text }) => text.length >= shortest && text.length <= maxValueLength)
		.flatMap(({ header, text }) => candidatesIn(text).map((part) => ({ header, text: part })));
	// Without a body, a signature would prove whatever else the request says.
	const signature =
		rawBody === undefined || rawBody.length === 0
			? undefined
			: findSignature(headers, candidates, rawBody, secrets, requiredProof, now);
	if (signature !== undefined && isRecent(signature.time, toleranceSeconds, now)) {
		return { proof: { kind: 'signature', name: signature.name } };
	}
	const rejection = signature === undefined ? 'noProof' : 'tooOld';
	const proof = weakerProofs(candidates, tokens, usable).find(
		(found) => requiredProof === '' || found.name === requiredProof,
	);
	if (proof === undefined) return { rejection };
	const isEnough =
		requiredProof !== '' || strongest === undefined || !isStronger(strongest, proof.kind);
	if (isEnough) return { proof };
	return { rejection: signature === undefined ? 'weaker' : 'tooOld' };
}

/** The proofs that say nothing about the body, the strongest first. */
function weakerProofs(
	candidates: ReadonlyArray<{ header: string; text: string }>,
	tokens: readonly string[],
	keys: readonly WebhookKeys[],
): Proof[] {
	const headers = candidates
		.filter(({ text }) => keys.some(({ secret }) => equals(text, secret)))
		.map(({ header }): Proof => ({ kind: 'secret', name: `secret header:${header}` }));
	return keys.some(({ token }) => tokens.some((given) => equals(given, token)))
		? [...headers, { kind: 'url token', name: 'url token' }]
		: headers;
}
