import fc from 'fast-check';

/** What is drawn of an arbitrary. */
export type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** One of several kinds, each with how often it comes; a counterexample is tried with the first. */
export function oneOf<Value>(...kinds: Array<[weight: number, kind: fc.Arbitrary<Value>]>) {
	const weighted = kinds.map(([weight, arbitrary]) => ({ weight, arbitrary }));
	return fc.oneof({ withCrossShrink: true }, ...weighted);
}

/** @param often how much more often there is none */
export function rarely<Value>(often: number, drawn: fc.Arbitrary<Value>) {
	return oneOf<Value | null>([often, fc.constant(null)], [1, drawn]);
}

/** The name of one entry of a table. */
export function nameIn<Name extends string>(table: Record<Name, unknown>): fc.Arbitrary<Name> {
	return fc.constantFrom(...(Object.keys(table) as Name[]));
}
