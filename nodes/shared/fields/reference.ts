import { createHash } from 'crypto';

import { trimmed, withoutUnseen } from './blanks';
import { InvalidFieldError } from './invalidFieldError';

const field = 'Payment Page Link Reference';

/** Letters that Unicode does not split into a base letter and a mark. */
const latinSpellings: Record<string, string> = {
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	đ: 'd',
	ð: 'd',
	þ: 'th',
	ł: 'l',
	ħ: 'h',
	ı: 'i',
	ŋ: 'n',
};

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
			'The text was cut in the middle of an emoji or a rare letter: shorten it elsewhere.',
		);
	}
	return encodeURIComponent(reference);
}

/** Inside a word: "O'Brien" is one. The last is a letter for Unicode. */
const apostrophes = /['’‘`ʼ]/g;

/**
 * A sign that tells names apart, as in "C", "C++" and "C#": any but letters, digits, blanks, dashes,
 * brackets, quotation marks (the classes) and the punctuation of sentences and lists.
 */
const tellingSign = /[^a-z0-9\s\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`ʼ.,:;!?¡¿‽、。·•−&/|_]/u;

/**
 * Derives a reference from the name of a page: lower case, ASCII, hyphens. The same name always
 * gives the same reference, so that a rerun meets the page it made before.
 *
 * Letters without an ASCII form (Hebrew, Chinese, emoji) and signs that tell names apart ("+", "#",
 * "%") are lost on the way; then a fingerprint of the name is added. So names end as one reference
 * only if they differ in nothing but case, accents, blanks and common punctuation.
 *
 * @returns '' for a blank name
 */
export function deriveReference(pageName: string): string {
	const name = trimmed(pageName).normalize('NFC').toLowerCase();
	if (name === '') return '';
	// Lower case once more: taking a sign apart can give capitals, as the one for "TEL" does.
	const latin = withoutUnseen(name)
		.normalize('NFKD')
		.toLowerCase()
		.replace(/\p{Mark}/gu, '')
		.replace(/[ßæœøđðþłħıŋ]/g, (letter) => latinSpellings[letter] ?? letter);
	const slug = latin
		.replace(apostrophes, '')
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '');
	if (!tellingSign.test(latin) && slug !== '') return slug;
	const fingerprint = createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 10);
	return [slug, fingerprint].filter((part) => part !== '').join('-');
}
