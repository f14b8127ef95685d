/**
 * A form that is equal for references which a service may take for the same: those that differ only
 * in case, in accents and how they are composed, in width, or in blanks and invisible signs. It is
 * for comparing alone; a reference is always sent as it was given.
 */
export function looseReference(reference: string): string {
	const letters = reference
		.normalize('NFKD')
		.toUpperCase()
		// Once more: a capital can be one that comes apart.
		.normalize('NFKD');
	// The accents of Latin, Greek and Cyrillic alone: in other scripts, marks are vowels.
	return letters.replace(/[\u0300-\u036f\s\p{Control}\p{Format}]/gu, '');
}
