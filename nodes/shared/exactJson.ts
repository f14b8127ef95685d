import type { IDataObject } from 'n8n-workflow';

/**
 * A number that leaves as exactly these characters, unquoted. A JavaScript number is exact only up to
 * 2^53, and merchant IDs are 64-bit: one travels as a raw JSON number, and is text in the workflow.
 */
export class ExactNumber {
	constructor(readonly digits: string) {}
}

/** A value of a request body; both bodies of the interface are flat. */
export type BodyValue = string | boolean | ExactNumber;

export type RequestBody = Record<string, BodyValue>;

export function stringifyExactJson(body: RequestBody): string {
	const members = Object.entries(body).map(([name, value]) => {
		const text = value instanceof ExactNumber ? value.digits : JSON.stringify(value);
		return `${JSON.stringify(name)}:${text}`;
	});
	return `{${members.join(',')}}`;
}

/** A string is matched whole, first, so that digits inside it are left alone. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function quoteInexactNumber(token: string): string {
	if (token.startsWith('"')) return token;
	const value = Number(token);
	const isExact = /^-?\d+$/.test(token) ? Number.isSafeInteger(value) : Number.isFinite(value);
	return isExact ? token : `"${token}"`;
}

/** Reads JSON; a number that a double can't carry becomes text with its digits as they came. */
export function parseExactJson(text: string): unknown {
	const value: unknown = JSON.parse(text);
	// 2^53 has 16 digits: text without such a run of digits needs no second look.
	if (!/\d{16}|\d[eE]\+?\d{3}/.test(text)) return value;
	return JSON.parse(text.replace(stringOrNumber, quoteInexactNumber));
}

/** @returns undefined for a text that is not JSON: JSON itself has no such value */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The values of a body as a workflow has them: whole numbers beyond 2^53 as text. */
export function toOutputValues(body: RequestBody): IDataObject {
	return parseExactJson(stringifyExactJson(body)) as IDataObject;
}
