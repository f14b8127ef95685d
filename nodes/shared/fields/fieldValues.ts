import { trimmed } from './blanks';
import { ExactNumber, parseJson } from './exactJson';
import { excerpt, InvalidFieldError } from './invalidFieldError';
import { refuseInexact } from './wholeNumber';

/** Each conversion throws an InvalidFieldError that names the field whose value cannot be right. */

/** Whether a value means that there is none; a deliberate 0 or false is one. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && trimmed(value) === '')
	);
}

/** Whether a value holds nothing, not even in a list or an object. */
export function isHollow(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isBlank(value);
	// A date has no members of its own.
	return !('toJSON' in value) && Object.values(value).every(isHollow);
}

export function toText(field: string, value: unknown): string {
	refuseInexact(field, value);
	// A date, of either kind that n8n has, is an object that JSON writes as text.
	const plain: unknown = typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
	if (typeof plain === 'string') return plain;
	if (typeof plain === 'boolean' || Number.isFinite(plain)) return String(plain);
	throw new InvalidFieldError(
		field,
		`must be text, but is ${excerpt(value)}`,
		'Map a single value to this field, not a list or an object.',
	);
}

/** For what has to be matched exactly, such as a reference: blanks around it are never meant. */
export function toTrimmedText(field: string, value: unknown): string {
	return trimmed(toText(field, value));
}

export function toBoolean(field: string, value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'string' ? trimmed(value).toLowerCase() : value;
	if (text === 'true' || text === '1' || text === 1) return true;
	if (text === 'false' || text === '0' || text === 0) return false;
	throw new InvalidFieldError(
		field,
		`must be true or false, but is ${excerpt(value)}`,
		'Use the switch, or an expression that returns true, false, 1 or 0.',
	);
}

const decimal = /^\+?(\d+)(\.\d+)?$/;
const leadingZeros = /^0+(?=\d)/;

/** A thousand for half of Europe, one with three decimals elsewhere; 0.125 has one meaning only. */
const ambiguousDot = /^(?!0\.)\d{1,3}\.\d{3}$/;

/** A double is exact to 15 digits; what follows is noise, as in 49.9 * 1.19 = 59.38099999999999. */
function withoutNoise(value: number): number {
	return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

/** An amount keeps the digits it was written with; beyond 2^53 a double could not carry it. */
export function toAmount(field: string, value: unknown): ExactNumber {
	const text = trimmed(
		typeof value === 'number'
			? String(withoutNoise(value))
			: typeof value === 'string'
				? value
				: '',
	);
	if (typeof value === 'string') refuseAmbiguous(field, text);
	const match = decimal.exec(text);
	if (match === null || Number(match[1]) > Number.MAX_SAFE_INTEGER) {
		throw new InvalidFieldError(
			field,
			`must be a number such as 49.90, but is ${excerpt(value)}`,
			Number.isNaN(value)
				? 'Check the expression. It calculates with a value that is missing or is not a number.'
				: 'Use digits and at most one decimal point, without a minus sign, currency or thousands separator.',
		);
	}
	const [, whole = '', fraction = ''] = match;
	return new ExactNumber(`${whole.replace(leadingZeros, '')}${fraction}`);
}

/** @param text of an amount; a value that arrived as a number has one meaning */
function refuseAmbiguous(field: string, text: string): void {
	const unsigned = text.replace(/^\+/, '');
	if (!ambiguousDot.test(unsigned)) return;
	const thousands = Number(unsigned.replace('.', ''));
	const shorter = unsigned.endsWith('0') ? `write ${unsigned.slice(0, -1)} or ` : '';
	throw new InvalidFieldError(
		field,
		`is ambiguous: ${excerpt(text)} can mean ${thousands} or ${Number(unsigned)}`,
		`For ${thousands}, leave out the dot. For ${Number(unsigned)}, ${shorter}pass a number instead of text, for example {{ Number($json.amount) }}. With 'Map Automatically', use an Edit Fields node before this one. The same applies to currencies with three decimals.`,
	);
}

/** The interface carries additional fields as a string: JSON, encoded once, and "[]" for none. */
export function toJsonText(field: string, value: unknown): string {
	if (typeof value === 'object' && value !== null) {
		return JSON.stringify(value, (_name, member: unknown) => {
			refuseInexact(field, member);
			return member;
		});
	}
	let text = value;
	while (typeof text === 'string') {
		const parsed = parseJson(text);
		if (typeof parsed === 'object' && parsed !== null) return text;
		// Text that was already encoded once more than needed loses that layer.
		text = parsed;
	}
	throw new InvalidFieldError(
		field,
		`must be a JSON list or object, but is ${excerpt(value)}`,
		'Enter JSON such as [{"name":"Order","value":"17"}], or leave it empty.',
	);
}
