/** How many tests, or checks, ended in which way. */
export interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

export function sum(all: Counts[]): Counts {
	return {
		passed: all.reduce((total, { passed }) => total + passed, 0),
		failed: all.reduce((total, { failed }) => total + failed, 0),
		skipped: all.reduce((total, { skipped }) => total + skipped, 0),
	};
}

/** The last line of `npm test`. */
export function summary({ passed, failed, skipped }: Counts): string {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
