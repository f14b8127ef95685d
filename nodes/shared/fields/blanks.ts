/**
 * Copying leaves blanks, line ends and signs that nobody sees around a value. JavaScript's own `trim`
 * knows only some of them.
 */

/**
 * Signs without a width: soft hyphen, zero-width blanks and joiners, direction and shaping marks. Not
 * all that Unicode calls format: some Arabic signs among it are seen, and flags are made of others.
 */
const unseen =
	'\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff';

const unseenSigns = new RegExp(`[${unseen}]+`, 'g');
const blank = new RegExp(`[\\s\\u0085${unseen}]`);
const blanks = new RegExp(`[\\s\\u0085${unseen}]+`, 'g');

/** A text without blanks and unseen signs around it. */
export function trimmed(text: string): string {
	// A pattern that ends in `$` would take a time that grows with the square of a row of blanks.
	let start = 0;
	let end = text.length;
	while (start < end && blank.test(text.charAt(start))) start++;
	while (end > start && blank.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** A text without any blank or unseen sign. */
export function withoutBlanks(text: string): string {
	return text.replace(blanks, '');
}

/** A text without the signs that nobody sees; its blanks stay. */
export function withoutUnseen(text: string): string {
	return text.replace(unseenSigns, '');
}
