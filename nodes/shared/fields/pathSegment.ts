import { trimmed } from './blanks';
import { InvalidFieldError } from './invalidFieldError';

const field = 'Payment Page Link Reference';

/** More often than any chain of careless servers and proxies decodes an address. */
const decodings = 10;

/** Undoes percent-encoding as often as a careless server or proxy might. */
function fullyDecoded(text: string): string {
	let current = text;
	for (let count = 0; count < decodings && current.includes('%'); count++) {
		current = current.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
			String.fromCharCode(parseInt(hex, 16)),
		);
	}
	return current.normalize('NFKC');
}

/**
 * Turns a reference into exactly one segment of a path: slashes, percent signs and all else that
 * has a meaning in an address are encoded.
 *
 * @throws InvalidFieldError for "." and "..", however they are spelled, which servers and proxies
 *   take for a folder, and for text with half of a surrogate pair, which has no encoding
 */
export function toPathSegment(reference: string): string {
	const decoded = trimmed(fullyDecoded(reference));
	if (decoded === '.' || decoded === '..') {
		throw new InvalidFieldError(
			field,
			'must not be "." or ".."',
			'Use a reference with letters or digits.',
		);
	}
	if (/\p{Surrogate}/u.test(reference)) {
		throw new InvalidFieldError(
			field,
			'contains half of a character, which cannot be sent',
			'The text was cut in the middle of an emoji or a rare letter. Shorten it at another place.',
		);
	}
	return encodeURIComponent(reference);
}
