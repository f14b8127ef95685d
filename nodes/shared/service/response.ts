import { ServiceError, serviceText } from '../errors';
import { parseExactJson } from '../exactJson';
import { isRecord } from '../values';
import { compareUrl, statusError, type Asked, type ServiceResponse } from './failures';

/** What every documented response consists of (docs/interface.md, "Response envelope"). */
export interface Envelope {
	responseCode: string;
	responseMessage?: unknown;
	data?: unknown;
}

function hideInText(text: string, secrets: string[]): string {
	if (text !== '' && secrets.includes(text)) return '***';
	// A shorter secret could be part of ordinary words.
	const long = secrets.filter((secret) => secret.length >= 8);
	return long.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

/**
 * Hides every secret that the service echoes: it would reach errors, outputs and the execution's
 * record. It works on the values, since JSON can write one text in several ways.
 */
export function hideSecrets(value: unknown, secrets: string[]): unknown {
	if (typeof value === 'string') return hideInText(value, secrets);
	if (Array.isArray(value)) return value.map((item: unknown) => hideSecrets(item, secrets));
	if (!isRecord(value)) return value;
	const members = Object.entries(value).map(([name, member]) => [
		hideInText(name, secrets),
		hideSecrets(member, secrets),
	]);
	return Object.fromEntries(members) as unknown;
}

export function looksLikeWebPage(response: ServiceResponse): boolean {
	const contentType = response.headers['content-type'] ?? '';
	return (
		/\bhtml\b/i.test(contentType) || /^\s*<(!doctype|html|\?xml|head|body)/i.test(response.text)
	);
}

/** What was asked may have been done: the response does not tell. */
function unreadable(what: string, { statusCode }: ServiceResponse, url: string, detail = '') {
	const advice = compareUrl.replace('{url}', () => url);
	const details = { kind: 'unreadable', statusCode } as const;
	return new ServiceError(`The service returned ${what}`, `${detail}${advice}`, details);
}

const notOfThisInterface = 'a response that is not one of this interface';

/** The object in a JSON response, with the secrets hidden in it; a ServiceError when there is none. */
export function parseObject(response: ServiceResponse, asked: Asked): Record<string, unknown> {
	const { url, secrets } = asked;
	if (response.text.trim() === '') throw unreadable('an empty response', response, url);
	let value: unknown;
	try {
		value = hideSecrets(parseExactJson(response.text), secrets);
	} catch {
		const isPage = looksLikeWebPage(response);
		throw unreadable(isPage ? 'a web page instead of data' : 'invalid JSON', response, url);
	}
	if (isRecord(value)) return value;
	throw unreadable(notOfThisInterface, response, url, 'It is not an object. ');
}

/** The words of a failed response, if it sent any in an envelope; a web page has none. */
function envelopeOf(response: ServiceResponse, asked: Asked): Record<string, unknown> {
	try {
		return parseObject(response, asked);
	} catch {
		return {};
	}
}

/** The one code that means success (docs/interface.md, "Response envelope"). */
const successCode = '00';

/**
 * Success is HTTP 2xx and the response code "00", as text (docs/interface.md, "Errors"). Every other
 * response is an error.
 *
 * @throws ServiceError
 */
export function parseResponse(response: ServiceResponse, asked: Asked): Envelope {
	const { statusCode } = response;
	if (!(statusCode >= 200 && statusCode <= 299)) {
		throw statusError(response, envelopeOf(response, asked), asked);
	}
	const { responseCode, ...envelope } = parseObject(response, asked);
	if (responseCode === successCode) return { ...envelope, responseCode };
	if (typeof responseCode !== 'string') {
		const detail = responseCode === undefined ? 'It has no code. ' : 'Its code is not text. ';
		throw unreadable(notOfThisInterface, response, asked.url, detail);
	}
	const words = serviceText(envelope.responseMessage);
	const code = serviceText(responseCode).slice(0, 20);
	throw new ServiceError(
		words === ''
			? `The service rejected the request with code "${code}" and gave no reason`
			: `The service rejected the request: ${words} (code "${code}")`,
		'Compare the values of this row with what the service accepts. Its documentation or support can explain the code.',
		{ kind: 'rejected', statusCode, responseCode: code },
	);
}
