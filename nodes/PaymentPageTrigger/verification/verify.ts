import { candidatesIn, equals, findSignature, valuesOf, type Headers } from './signature';

/** What can prove that an event comes from the service, the weakest first. */
const kinds = ['url token', 'secret', 'signature'] as const;

export type ProofKind = (typeof kinds)[number];

export interface Proof {
	kind: ProofKind;
	name: string; // for `verifiedBy`; `requiredProof` takes this text
}

/** Why an event is not verified. */
export type Rejection =
	| 'noProof'
	| 'tooOld' // its signature is right, but its time is too far from now
	| 'weaker'; // it has a proof, but earlier events had a stronger one

export type Verdict =
	| { proof: Proof; rejection?: undefined }
	| { proof?: undefined; rejection: Rejection };

export interface WebhookKeys {
	secret: string; // as it was registered; signatures are made with it
	token: string; // in the registered URL
}

export interface ReceivedEvent {
	headers: Headers;
	tokens: readonly string[]; // in the address to which it was sent
	rawBody: Buffer | undefined; // the exact bytes, if they are known
}

/** What a proof has to be. */
export interface Demand {
	requiredProof: string; // name of the only one that counts; '' for any
	toleranceSeconds: number; // how far a signed time may be from now, before or after
	strongest: ProofKind | undefined; // kind of earlier events: none weaker counts, unless required
}

/** Whether one kind proves more than another; any proves more than none. */
export function isStronger(kind: ProofKind, than: ProofKind | undefined): boolean {
	return than === undefined || kinds.indexOf(kind) > kinds.indexOf(than);
}

/** The name of a header (RFC 9110, 5.6.2), in lower case. */
const name = "[!#$%&'*+.^_`|~0-9a-z-]+";

const signed = `body|timestamp\\.body timestamp:${name}|id\\.timestamp\\.body id:${name} timestamp:${name}`;

const proofName = new RegExp(
	`^(url token|secret header:${name}|signature header:${name} (sha512|sha256|sha1) (hex|base64) (${signed}))$`,
);

/** @returns the kind of a proof by its name; undefined for any other text */
export function kindOf(text: string): ProofKind | undefined {
	return proofName.test(text) ? kinds.find((kind) => text.startsWith(kind)) : undefined;
}

/**
 * Whether an event comes from a sender who knows one of the keys; an empty secret proves nothing. It
 * never throws, whatever the headers hold.
 */
export function verify(
	{ headers, tokens, rawBody }: ReceivedEvent,
	keys: readonly WebhookKeys[],
	{ requiredProof, toleranceSeconds, strongest }: Demand,
	now: number,
): Verdict {
	const usable = keys.filter(({ secret }) => secret !== '');
	const secrets = usable.map(({ secret }) => secret);
	// Characters. A shorter header holds no digest or secret, a longer one makes forgeries costly.
	const [shortest, longest] = [Math.min(28, ...secrets.map(({ length }) => length)), 2048];
	const candidates = valuesOf(headers)
		.filter(({ text }) => text.length >= shortest && text.length <= longest)
		.flatMap(({ header, text }) => candidatesIn(text).map((part) => ({ header, text: part })));
	// Without a body, a signature would prove whatever else the request says.
	const signature = rawBody?.length
		? findSignature(headers, candidates, rawBody, secrets, requiredProof, now)
		: undefined;
	const { time = now } = signature ?? {};
	if (signature !== undefined && Math.abs(now - time) <= toleranceSeconds * 1000) {
		return { proof: { kind: 'signature', name: signature.name } };
	}
	const weaker = candidates
		.filter(({ text }) => secrets.some((secret) => equals(text, secret)))
		.map(({ header }): Proof => ({ kind: 'secret', name: `secret header:${header}` }));
	if (usable.some(({ token }) => tokens.some((given) => equals(given, token)))) {
		weaker.push({ kind: 'url token', name: 'url token' });
	}
	const proof = weaker.find(({ name: found }) => requiredProof === '' || found === requiredProof);
	if (proof === undefined) return { rejection: signature === undefined ? 'noProof' : 'tooOld' };
	const isEnough = requiredProof !== '' || !strongest || !isStronger(strongest, proof.kind);
	if (isEnough) return { proof };
	return { rejection: signature === undefined ? 'weaker' : 'tooOld' };
}
