import type { IDataObject } from 'n8n-workflow';

import { parseExactJson } from '../../shared/exactJson';
import { hideSecrets } from '../../shared/service/response';
import { isRecord } from '../../shared/values';
import { withoutTokens } from '../addresses';
import type { ReceivedRequest } from '../n8n';
import { candidatesIn, formOf, valuesOf } from '../verification/signature';
import type { Proof, WebhookKeys } from '../verification/verify';

const utf8 = new TextDecoder('utf-8', { fatal: true }); // drops a byte order mark

function attempt<Result>(read: () => Result): Result | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** What is nested deeper, n8n can neither copy nor store. */
const isTooDeep = (value: unknown, levels = 500): boolean =>
	typeof value === 'object' && value !== null
		? levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1))
		: false;

/** A form of which n8n could not read each value: those stay encoded. */
function readForm(bytes: Buffer): Record<string, unknown> {
	const decode = (part: string) =>
		attempt(() => decodeURIComponent(part.replaceAll('+', ' '))) ?? part;
	const form = new Map<string, string[]>();
	const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
	const encoded = bytes.toString('latin1').replace(/[\x80-\xff]/g, escaped);
	for (const pair of encoded.split('&')) {
		const [name = '', value = ''] = pair.split(/=(.*)/s).map(decode);
		if (pair !== '') form.set(name, [...(form.get(name) ?? []), value]);
	}
	const one = (values: string[]) => (values.length === 1 ? values[0] : values);
	return Object.fromEntries([...form].map(([name, values]) => [name, one(values)]));
}

/**
 * Reads the body of an event from its exact bytes, whatever its content type says: JSON with every
 * digit of its whole numbers; else what n8n made of a form or XML; else the text; else, for bytes
 * that are not text, Base64. For a multipart form there are the fields that n8n has read.
 */
export function readBody(request: Pick<ReceivedRequest, 'rawBody' | 'parsedBody' | 'isForm'>) {
	const { rawBody, parsedBody, isForm } = request;
	if (rawBody === undefined) return isRecord(parsedBody) ? parsedBody.data : undefined;
	const text = attempt(() => utf8.decode(rawBody));
	const json = text === undefined ? undefined : attempt(() => parseExactJson(text));
	if (json !== undefined) return isTooDeep(json) ? text : json;
	// Where an encoding cannot read something, it puts this sign.
	const isComplete = !JSON.stringify(parsedBody ?? '').includes('\ufffd');
	if (typeof parsedBody === 'object' && parsedBody !== null && Object.keys(parsedBody).length > 0) {
		return isComplete || !isForm ? parsedBody : readForm(rawBody);
	}
	// n8n knows the encoding that the content type names.
	const inAnotherEncoding = typeof parsedBody === 'string' && isComplete ? parsedBody : '';
	return text ?? (inAnotherEncoding || rawBody.toString('base64'));
}

/**
 * The item of an event, with the fields of n8n's own Webhook node. What would let a reader forge or
 * repeat an event is left out: the token, and headers that carry a key or look like a signature.
 */
export function toOutput(
	request: ReceivedRequest,
	keys: readonly WebhookKeys[],
	proof: Proof | undefined,
	receivedAt: number,
): IDataObject {
	const body = readBody(request);
	const { headers, params, query, tokens } = request;
	const secrets = keys.flatMap(({ secret, token }) => [secret, token]);
	const forges = (text: string) =>
		candidatesIn(text).some((part) => formOf(part) !== undefined) ||
		keys.some(({ secret, token }) => text.includes(secret) || text.toLowerCase().includes(token));
	const hidden = new Set(['authorization']);
	for (const { header, text } of valuesOf(headers)) if (forges(text)) hidden.add(header);
	const shownHeaders = Object.entries(headers).filter(([name]) => !hidden.has(name));
	return {
		body: hideSecrets(body, secrets) as IDataObject,
		headers: Object.fromEntries(shownHeaders),
		params: params as IDataObject,
		query: hideSecrets(withoutTokens(query, tokens), secrets) as IDataObject,
		verified: proof !== undefined,
		verifiedBy: proof?.name ?? null,
		receivedAt: new Date(receivedAt).toISOString(),
	};
}
