import { parseExactJson } from '../../shared/exactJson';

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

/**
 * Reads the body of an event from its exact bytes, whatever its content type says: JSON with every
 * digit of its whole numbers; else what n8n made of a form or XML; else the text; else, for bytes
 * that are no text, Base64.
 *
 * @param parsed the body as n8n parsed it: an empty object when it does not know the content type
 */
export function readBody(rawBody: Buffer, parsed: unknown): unknown {
	const text = tryDecode(rawBody);
	const json = text === undefined ? undefined : tryParseJson(text);
	if (json !== undefined) return json;
	const isParsed = typeof parsed === 'object' && parsed !== null && Object.keys(parsed).length > 0;
	return isParsed ? parsed : (text ?? rawBody.toString('base64'));
}
