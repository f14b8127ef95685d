import fc from 'fast-check';

/** One of several kinds, each with how often it comes; a counterexample is tried with the first. */
export function oneOf<Drawn>(...kinds: Array<[weight: number, kind: fc.Arbitrary<Drawn>]>) {
	const weighted = kinds.map(([weight, arbitrary]) => ({ weight, arbitrary }));
	return fc.oneof({ withCrossShrink: true }, ...weighted);
}

/** @param often how much more often there is none */
export function rarely<Drawn>(often: number, drawn: fc.Arbitrary<Drawn>) {
	return oneOf<Drawn | null>([often, fc.constant(null)], [1, drawn]);
}

/** The name of one entry of a table. */
export function nameIn<Name extends string>(table: Record<Name, unknown>): fc.Arbitrary<Name> {
	return fc.constantFrom(...(Object.keys(table) as Name[]));
}
