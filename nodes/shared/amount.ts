import { excerpt, InvalidFieldError } from './errors';
import { ExactNumber } from './exactJson';
import { trimmed } from './values';

/**
 * Amounts as people and programs of many countries write them: what can be read in one way only is
 * read, what can be read in two ways is rejected.
 */

/** Between the digits of a whole number. Each of the last two can also begin the decimals. */
const separators = [' ', "'", '٬', ',', '.'];

const decimalSigns = ['.', ',', '٫'];

/** Digits of all scripts stand in rows of ten. */
function toAsciiDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let first = code;
	while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
	return String((code - first) % 10);
}

function normalized(text: string): string {
	return trimmed(text)
		.normalize('NFKC')
		.replace(/[^\P{Nd}0-9]/gu, toAsciiDigit)
		.replace(/\s/g, ' ')
		.replace(/[’‘ʼ]/g, "'")
		.replace(/^\+/, '');
}

/** Groups of three; with commas also the Indian way: three, and groups of two before them. */
function isGrouped(text: string, separator: string): boolean {
	const groups = text.replaceAll(separator, '_');
	if (/^\d{1,3}(?:_\d{3})+$/.test(groups)) return true;
	return separator === ',' && /^\d{1,2}(?:_\d{2})+_\d{3}$/.test(groups);
}

/** @returns the digits of a whole number; undefined for another text, or one that begins with a zero */
function readWhole(text: string, decimalSign: string): string | undefined {
	const separator = separators.find((sign) => sign !== decimalSign && isGrouped(text, sign));
	const digits = separator === undefined ? text : text.replaceAll(separator, '');
	return /^(?:0|[1-9]\d*)$/.test(digits) ? digits : undefined;
}

/** All that a text can mean, as digits with at most one point. */
function readingsOf(text: string): string[] {
	const whole = readWhole(text, '');
	const readings = decimalSigns.flatMap((sign) => {
		const [before = '', after = '', ...more] = text.split(sign);
		const digits = more.length === 0 && /^\d+$/.test(after) ? readWhole(before, sign) : undefined;
		return digits === undefined ? [] : [`${digits}.${after}`];
	});
	return whole === undefined ? readings : [whole, ...readings];
}

/** A double is exact to 15 digits; what follows is noise, as in 49.9 * 1.19 = 59.38099999999999. */
function withoutNoise(value: number): number {
	return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

/**
 * An amount with the digits that it was written with.
 *
 * @throws InvalidFieldError for what is not an amount, or can mean two
 */
export function toAmount(field: string, value: unknown): ExactNumber {
	const shown = excerpt(typeof value === 'string' ? trimmed(value) : value);
	// A number has one meaning, and so has its decimal point.
	const readings =
		typeof value === 'number'
			? [String(withoutNoise(value))].filter((text) => /^\d+(?:\.\d+)?$/.test(text))
			: typeof value === 'string'
				? readingsOf(normalized(value))
				: [];
	const [first, second] = readings;
	if (first !== undefined && second !== undefined) {
		const decimals = String(Number(second));
		// A fourth decimal place leaves one meaning.
		const clear = /\.\d{3}$/.test(decimals) ? `${decimals}0` : decimals;
		throw new InvalidFieldError(
			field,
			`is unclear: ${shown} can mean ${first} or ${decimals}`,
			`Write ${first} or ${clear}.`,
		);
	}
	// Beyond 2^53 a double could not carry it.
	if (first === undefined || Number.parseInt(first, 10) > Number.MAX_SAFE_INTEGER) {
		throw new InvalidFieldError(
			field,
			`must be a number such as 49.90, but is ${shown}`,
			Number.isNaN(value)
				? 'Check the expression. It calculates with a value that is missing or not a number.'
				: 'Use digits alone, without a currency or a minus sign.',
		);
	}
	return new ExactNumber(first);
}
