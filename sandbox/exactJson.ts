import { LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * JSON text to values in which every number keeps its digits as a `LosslessNumber`: a merchant ID
 * is a "long integer" in the interface, and a JavaScript number is exact only up to 2^53.
 */
export function parseExactJson(text: string): unknown {
	return parse(text);
}

/** Values to JSON text; a `LosslessNumber` is written digit for digit. */
export function toExactJson(value: unknown): string {
	return stringify(value) ?? 'null';
}

/** The whole number with these decimal digits, to be written into JSON as a raw number. */
export function wholeNumber(digits: string): LosslessNumber {
	return new LosslessNumber(digits);
}
