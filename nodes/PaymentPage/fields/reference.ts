import { createHash } from 'crypto';

import { trimmed, withoutUnseen } from '../../shared/values';

/** Letters that Unicode does not split into a base letter and a mark, and their spellings. */
const letters = 'ßæœøđðþłħıŋ';
const spellings = ['ss', 'ae', 'oe', 'o', 'd', 'd', 'th', 'l', 'h', 'i', 'n'];

/** A sign that tells names apart, as in "C", "C++" and "C#"; the punctuation of sentences does not. */
const tellingSign = /[^a-z0-9\s\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`ʼ.,:;!?¡¿‽、。·•−&/|_]/u;

/**
 * Derives a reference from the name of a page: lower case, ASCII, hyphens. The same name always
 * gives the same one. Where letters without an ASCII form (Hebrew, emoji) or signs that tell names
 * apart are lost, a fingerprint is added: so only names that differ in nothing but case, accents,
 * blanks and common punctuation share a reference.
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
		.replace(/[ßæœøđðþłħıŋ]/g, (letter) => spellings[letters.indexOf(letter)] ?? letter);
	// "O'Brien" is one word.
	const words = latin.replace(/['’‘`ʼ]/g, '');
	const slug = words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
	if (!tellingSign.test(latin) && slug !== '') return slug;
	const fingerprint = createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 10);
	return [slug, fingerprint].filter((part) => part !== '').join('-');
}

/**
 * Equal for references that a service may take for the same: those that differ only in case, accents,
 * width, or blanks and invisible signs. A reference is always sent as it was given.
 */
export function comparisonKey(reference: string): string {
	// Twice: a capital can be one that comes apart.
	const letters = reference.normalize('NFKD').toUpperCase().normalize('NFKD');
	// The accents of Latin, Greek and Cyrillic alone: in other scripts, marks are vowels.
	return letters.replace(/[\u0300-\u036f\s\p{Control}\p{Format}]/gu, '');
}
