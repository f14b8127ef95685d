import { ExactNumber, parseJson } from './exactJson';
import { InvalidFieldError, excerpt } from './invalidFieldError';
import { refuseInexact } from './wholeNumber';

/** Each conversion throws an InvalidFieldError that names the field whose value cannot be right. */

/** Whether a value means that there is none; a deliberate 0 or false is one. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
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
		'Map a single value to it, not a list or an object.',
	);
}

export function toBoolean(field: string, value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	if (text === 'true') return true;
	if (text === 'false') return false;
	throw new InvalidFieldError(
		field,
		`must be true or false, but is ${excerpt(value)}`,
		'Use the switch, or an expression that gives true or false.',
	);
}

const decimal = /^\+?(\d+)(\.\d+)?$/;
const leadingZeros = /^0+(?=\d)/;

/** An amount keeps the digits it was written with; beyond 2^53 a double could not carry it. */
export function toAmount(field: string, value: unknown): ExactNumber {
	const text =
		typeof value === 'number' || typeof value === 'string' ? String(value).trim() : undefined;
	const match = text === undefined ? null : decimal.exec(text);
	if (match === null || Number(match[1]) > Number.MAX_SAFE_INTEGER) {
		throw new InvalidFieldError(
			field,
			`must be a number such as 49.90, but is ${excerpt(value)}`,
			'Write it with digits and at most one decimal point: no minus, no currency, no thousands separator.',
		);
	}
	const [, whole = '', fraction = ''] = match;
	return new ExactNumber(`${whole.replace(leadingZeros, '')}${fraction}`);
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
