/** The middle of the values; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = sorted.length / 2;
	const upper = sorted[Math.floor(middle)] ?? NaN;
	const lower = sorted[Math.ceil(middle) - 1] ?? NaN;
	return (lower + upper) / 2;
}

/**
 * What one contestant measured, compared with another, round by round. Both ran in the same minute
 * of each round, so that a machine that grows slower meanwhile changes the ratio little.
 */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
	return median(values.map((value, round) => value / (others[round] ?? NaN)));
}

/** A number with at most so many digits after the point. */
export function rounded(value: number, digits = 0): number {
	return Number(value.toFixed(digits));
}
