/** What can prove that an event comes from the service, the weakest first. */
const kinds = ['url token', 'secret', 'signature'] as const;

export type ProofKind = (typeof kinds)[number];

/** A proof that was found in an event. */
export interface Proof {
	kind: ProofKind;
	/** For `verifiedBy`: all that is needed to pin it. */
	name: string;
	/** The header that carries it, in lower case. */
	header?: string;
}

export function isProofKind(value: unknown): value is ProofKind {
	return kinds.some((kind) => kind === value);
}

/** Whether one kind proves more than another; any proves more than none. */
export function isStronger(kind: ProofKind, than: ProofKind | undefined): boolean {
	return than === undefined || kinds.indexOf(kind) > kinds.indexOf(than);
}
