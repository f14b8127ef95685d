/**
 * A value that cannot be right, refused before anything is sent.
 *
 * It names the field as the person sees it, and never repeats the value of a key or a secret.
 */
export class InvalidFieldError extends Error {
	override readonly name = 'InvalidFieldError';

	/** @param advice what to do about it, in one sentence */
	constructor(
		readonly field: string,
		problem: string,
		readonly advice: string,
	) {
		super(`${field} ${problem}`);
	}
}

const longestExcerpt = 60;

/** Shows a refused value, shortened, so that the person recognises it. */
export function excerpt(value: unknown): string {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const characters = Array.from(text);
	const short = characters.slice(0, longestExcerpt).join('');
	return `"${short}${characters.length > longestExcerpt ? '…' : ''}"`;
}
