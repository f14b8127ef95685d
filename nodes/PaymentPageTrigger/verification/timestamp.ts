/** Seconds or milliseconds since 1970: the whole value, or behind `t=`. */
const timestampPattern = /^\d{9,14}$/;

/** Most headers of a request hold none, and need no closer look. */
const mayHoldTimestamp = /\d{9}/;

/** Numbers above this are milliseconds: as seconds they would be in the year 5138. */
const largestSeconds = 1e11;

/** The timestamps in the values of a header, as the text that was signed. */
export function timestampsIn(values: readonly string[]): string[] {
	return values
		.filter((value) => mayHoldTimestamp.test(value))
		.flatMap((value) => value.split(/[\s,;]+/))
		.map((part) => part.replace(/^t=/, ''))
		.filter((part) => timestampPattern.test(part));
}

/** @param now milliseconds of the clock */
export function isFresh(timestamp: string, now: number, toleranceSeconds: number): boolean {
	const value = Number(timestamp);
	const milliseconds = value > largestSeconds ? value : value * 1000;
	return Math.abs(now - milliseconds) <= toleranceSeconds * 1000;
}
