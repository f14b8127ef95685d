import { trimmed } from './blanks';
import { ExactNumber } from './exactJson';
import { excerpt, InvalidFieldError } from './invalidFieldError';

/** The largest 64-bit whole number, which the interface calls "long". */
const largest = 9223372036854775807n;

const plainDigits = /^\d+$/;

/**
 * @throws InvalidFieldError for a number beyond 2^53, whose last digits JavaScript has already changed
 */
export function refuseInexact(field: string, value: unknown): void {
	if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return;
	throw new InvalidFieldError(
		field,
		'arrived as a number too large to be exact, so its last digits are lost',
		'Pass it as text, for example from a text column.',
	);
}

/**
 * Reads an ID given as text of digits or as a whole number, without losing a digit.
 *
 * @param isShown false where the value may be something pasted by mistake that nobody may see
 * @throws InvalidFieldError for anything that is not a whole number from 0 to 2^63 - 1
 */
export function toWholeNumber(field: string, value: unknown, isShown = true): ExactNumber {
	refuseInexact(field, value);
	const text =
		typeof value === 'string' || typeof value === 'number' ? trimmed(String(value)) : undefined;
	if (value === undefined || value === null || text === '') {
		throw new InvalidFieldError(field, 'is empty', 'Enter the number, digits only.');
	}
	if (text === undefined || !plainDigits.test(text)) {
		throw new InvalidFieldError(
			field,
			`must contain only digits${isShown ? `, but is ${excerpt(value)}` : ''}`,
			'Copy the number again, without spaces, letters or separators.',
		);
	}
	const number = BigInt(text);
	if (number > largest) {
		throw new InvalidFieldError(
			field,
			`is too large for an ID (at most ${largest})`,
			'Copy the number again. It has too many digits.',
		);
	}
	return new ExactNumber(number.toString());
}
