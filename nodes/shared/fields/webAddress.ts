import { trimmed } from './blanks';
import { isBlank } from './fieldValues';
import { excerpt, InvalidFieldError } from './invalidFieldError';

/**
 * Reads a complete http(s) address, without blanks around it.
 *
 * @throws InvalidFieldError when it is none
 */
export function toWebAddress(field: string, value: unknown): string {
	const address = typeof value === 'string' ? trimmed(value) : '';
	if (/^https?:\/\/\S+$/i.test(address) && URL.canParse(address)) return address;
	throw new InvalidFieldError(
		field,
		isBlank(value) ? 'is empty' : `must be a complete URL, but is ${excerpt(value)}`,
		'Enter the URL with https:// at the start.',
	);
}
