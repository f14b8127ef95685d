import { parseExactJson } from '../../shared/exactJson';
import { isRecord } from '../../shared/values';

/** Drops a byte order mark, and refuses bytes that are no UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function tryDecode(bytes: Buffer): string | undefined {
	try {
		return utf8.decode(bytes);
	} catch {
		return undefined; // No text; the caller keeps the bytes in another form.
	}
}

function tryParseJson(text: string): unknown {
	try {
		return parseExactJson(text);
	} catch {
		return undefined; // JSON itself cannot say undefined, so this means: it is none.
	}
}

/** n8n knows the encoding that the content type names; a replacement character means: it does not. */
function textInAnotherEncoding(parsed: unknown): string | undefined {
	const isText = typeof parsed === 'string' && parsed !== '' && !parsed.includes('\ufffd');
	return isText ? parsed : undefined;
}

/** Levels of lists and objects; what is nested deeper, n8n can neither copy nor store. */
const maxLevels = 500;

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

/**
 * Reads the body of an event from its exact bytes, whatever its content type says: JSON with every
 * digit of its whole numbers; else what n8n made of a form or XML; else the text; else, for bytes
 * that are no text, Base64.
 *
 * @param rawBody undefined for a multipart form: n8n keeps its fields, and for the moment its files
 * @param parsed the body as n8n parsed it: nothing or an empty object for an unknown content type
 */
export function readBody(rawBody: Buffer | undefined, parsed: unknown): unknown {
	if (rawBody === undefined) return isRecord(parsed) ? parsed.data : undefined;
	const text = tryDecode(rawBody);
	const json = text === undefined ? undefined : tryParseJson(text);
	if (json !== undefined) return isDeeperThan(maxLevels, json) ? text : json;
	if (typeof parsed === 'object' && parsed !== null && Object.keys(parsed).length > 0)
		return parsed;
	return text ?? textInAnotherEncoding(parsed) ?? rawBody.toString('base64');
}
