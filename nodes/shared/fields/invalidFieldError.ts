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

function textOf(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return value;
		case 'number': // JSON has no NaN and no Infinity.
		case 'boolean':
			return String(value);
		case 'object':
			return JSON.stringify(value);
		default:
			return typeof value;
	}
}

const maxExcerptLength = 60;

/** Shows a refused value, shortened, so that the person recognises it. */
export function excerpt(value: unknown): string {
	const characters = Array.from(textOf(value));
	const short = characters.slice(0, maxExcerptLength).join('');
	return `"${short}${characters.length > maxExcerptLength ? '…' : ''}"`;
}
