import { excerpt, InvalidFieldError } from './errors';
import { ExactNumber, parseJson } from './exactJson';

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Signs without a width, which copying leaves around a value: soft hyphen, zero-width blanks and
 * joiners, direction and shaping marks. Not all that Unicode calls format: some of them are seen.
 */
const unseen =
	'\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff';

const unseenSigns = new RegExp(`[${unseen}]+`, 'g');
const blank = new RegExp(`[\\s\\u0085${unseen}]`);

/** A text without blanks and unseen signs around it. */
export function trimmed(text: string): string {
	// A pattern that ends in `$` would take a time that grows with the square of a row of blanks.
	let start = 0;
	let end = text.length;
	while (start < end && blank.test(text.charAt(start))) start++;
	while (end > start && blank.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** A text without unseen signs; its blanks stay. */
export const withoutUnseen = (text: string) => text.replace(unseenSigns, '');

/** Whether a value means "no value"; a deliberate 0 or false is one. */
export function isBlank(value: unknown): boolean {
	return typeof value === 'string' ? trimmed(value) === '' : value === undefined || value === null;
}

/** Whether a value holds nothing, not even in a list or an object. */
export function isEmptyDeep(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isBlank(value);
	// A date has no members, but a value.
	return !('toJSON' in value) && Object.values(value).every(isEmptyDeep);
}

/** Like the other conversions, throws an InvalidFieldError for a value that can't be right. */
export function toText(field: string, value: unknown): string {
	rejectInexact(field, value);
	// A date, of either kind that n8n has, is an object that JSON writes as text.
	const plain: unknown = typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
	if (typeof plain === 'string') return plain;
	if (Number.isFinite(plain)) return String(plain);
	throw new InvalidFieldError(
		field,
		`must be text, but is ${excerpt(value)}`,
		'Map a single value to this field, not a list or an object.',
	);
}

/** For what has to be matched exactly, such as a reference: blanks around it are never meant. */
export const toTrimmedText = (field: string, value: unknown) => trimmed(toText(field, value));

export function toBoolean(field: string, value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	const word = trimmed(String(value)).toLowerCase();
	if (['true', '1', 'yes', 'on'].includes(word)) return true;
	if (['false', '0', 'no', 'off'].includes(word)) return false;
	throw new InvalidFieldError(
		field,
		`must be true or false, but is ${excerpt(value)}`,
		'Use the switch, or a value such as true, false, yes, no, 1 or 0.',
	);
}

/** The interface carries additional fields as a string: text as it is, JSON encoded once. */
export function toFreeText(field: string, value: unknown): string {
	if (typeof value === 'object' && value !== null) {
		return JSON.stringify(value, (_name, member: unknown) => {
			rejectInexact(field, member);
			return member;
		});
	}
	// JSON that was already encoded once more than needed loses that layer.
	let text = value;
	while (typeof text === 'string') {
		const parsed = parseJson(text);
		if (typeof parsed === 'object' && parsed !== null) return text;
		text = parsed;
	}
	return toText(field, value);
}

/** Rejects a number beyond 2^53, whose last digits JavaScript has already changed. */
function rejectInexact(field: string, value: unknown): void {
	if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return;
	throw new InvalidFieldError(
		field,
		'arrived as a number too large to be exact, so its last digits are lost',
		'Pass it as text, for example from a text column.',
	);
}

/**
 * Reads an ID from 0 to 2^63 - 1, given as text or as a number, without losing a digit.
 *
 * @param isShown false where the value may be a key that was pasted by mistake
 */
export function toWholeNumber(field: string, value: unknown, isShown = true): ExactNumber {
	rejectInexact(field, value);
	const text =
		typeof value === 'string' || typeof value === 'number' ? trimmed(String(value)) : undefined;
	if (value === undefined || value === null || text === '') {
		throw new InvalidFieldError(field, 'is empty', 'Enter the number, digits only.');
	}
	if (text === undefined || !/^\d+$/.test(text)) {
		throw new InvalidFieldError(
			field,
			`must contain only digits${isShown ? `, but is ${excerpt(value)}` : ''}`,
			'Copy the number again, without spaces, letters or separators.',
		);
	}
	const number = BigInt(text);
	// The largest 64-bit whole number, which the interface calls "long".
	if (number > 9223372036854775807n) {
		throw new InvalidFieldError(field, 'is too large for an ID', 'Copy the number again.');
	}
	return new ExactNumber(number.toString());
}

/** Reads a complete http(s) address, without blanks around it. */
export function toWebAddress(field: string, value: unknown): string {
	const address = typeof value === 'string' ? trimmed(value) : '';
	if (/^https?:\/\/\S+$/i.test(address) && URL.canParse(address)) return address;
	throw new InvalidFieldError(
		field,
		isBlank(value) ? 'is empty' : `must be a complete URL, but is ${excerpt(value)}`,
		'Enter the URL with https:// at the start.',
	);
}

/** Undoes percent-encoding as often as a chain of careless servers and proxies might. */
function fullyDecoded(text: string): string {
	let current = text;
	for (let count = 0; count < 10 && current.includes('%'); count++) {
		current = current.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
			String.fromCharCode(parseInt(hex, 16)),
		);
	}
	return current.normalize('NFKC');
}

/**
 * Turns a reference into exactly one segment of a path. "." and "..", however they are spelled, are
 * rejected, since servers and proxies take them for a folder; half of a surrogate pair has no encoding.
 */
export function toPathSegment(text: string): string {
	const reference = "'Reference'";
	const decoded = trimmed(fullyDecoded(text));
	if (decoded === '.' || decoded === '..') {
		const advice = 'Use a reference with letters or digits.';
		throw new InvalidFieldError(reference, 'must not be "." or ".."', advice);
	}
	if (/\p{Surrogate}/u.test(text)) {
		const advice = 'It was cut inside an emoji or a rare letter. Shorten it at another place.';
		throw new InvalidFieldError(reference, 'ends in the middle of a character', advice);
	}
	return encodeURIComponent(text);
}
