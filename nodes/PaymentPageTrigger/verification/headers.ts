/** Headers as Node.js gives them: names in lower case; equal names joined by commas, or a list. */
export type Headers = Record<string, string | string[] | undefined>;

export function headerValues(headers: Headers, name: string): string[] {
	// A name like "constructor" must not reach what every object inherits.
	const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
	if (value === undefined) return [];
	return Array.isArray(value) ? value : [value];
}

/** A prefix such as `sha256=` or `v1=` in front of a signature. */
const prefix = /^[\w-]{1,20}[=:](?=.)/;

/** Longer values hold no signature, and would only make forgeries costly. */
const maxValueLength = 2048;

/**
 * Everything in a header that may be the secret or a signature: the value itself, its parts between
 * blanks, commas and semicolons, and these without quotes or a prefix.
 *
 * @param shortest characters that a proof has at least; most headers of a request are shorter, and
 *   need no closer look
 */
export function candidatesIn(value: string, shortest: number): string[] {
	if (value.length < shortest || value.length > maxValueLength) return [];
	const isLongEnough = (text: string) => text.length >= shortest;
	const whole = value.trim();
	const parts = whole
		.split(/[\s,;]+/)
		.filter(isLongEnough)
		.map(withoutQuotes);
	const bare = parts.map((part) => withoutQuotes(part.replace(prefix, '')));
	return [...new Set([whole, ...parts, ...bare])].filter(isLongEnough);
}

function withoutQuotes(text: string): string {
	return text.slice(text.startsWith('"') ? 1 : 0, text.endsWith('"') ? -1 : undefined);
}
