import { ServiceError } from '../errors';
import { parseExactJson } from '../exactJson';
import { isRecord } from '../values';
import { type Envelope, type ServiceResponse, successCode } from './api';
import { proxyErrorOf, statusError } from './failures';
import { hideSecrets, serviceText } from './redact';

const checkBaseUrl =
	'Check the Base URL in the credential: it must be the URL of the API, with its path, not that of a web page.';

export function looksLikeWebPage(response: ServiceResponse): boolean {
	const contentType = response.headers['content-type'] ?? '';
	return (
		/\bhtml\b/i.test(contentType) || /^\s*<(!doctype|html|\?xml|head|body)/i.test(response.text)
	);
}

/** What was asked may have been done: the response does not tell. */
function unreadable(message: string, response: ServiceResponse): ServiceError {
	return new ServiceError(message, checkBaseUrl, {
		kind: 'unreadable',
		statusCode: response.statusCode,
	});
}

/**
 * The object in a JSON response, with the secrets hidden in it.
 *
 * @throws ServiceError when there is none
 */
export function parseObject(response: ServiceResponse, secrets: string[]): Record<string, unknown> {
	if (response.text.trim() === '') {
		throw unreadable('The service returned an empty response', response);
	}
	let value: unknown;
	try {
		value = hideSecrets(parseExactJson(response.text), secrets);
	} catch {
		const what = looksLikeWebPage(response) ? 'a web page instead of data' : 'invalid JSON';
		throw unreadable(`The service returned ${what}`, response);
	}
	if (isRecord(value)) return value;
	throw unreadable('The service returned JSON that is not an object', response);
}

function unsuccessful(envelope: Record<string, unknown>, response: ServiceResponse): ServiceError {
	const { responseCode, responseMessage } = envelope;
	if (typeof responseCode !== 'string') {
		const problem =
			responseCode === undefined ? 'no response code' : 'a response code that is not text';
		return unreadable(
			`The service returned ${problem}, so it is unknown whether it did what was asked`,
			response,
		);
	}
	const words = serviceText(responseMessage);
	const code = serviceText(responseCode).slice(0, 20);
	return new ServiceError(
		words === ''
			? `The service rejected the request with code "${code}" and gave no reason`
			: `The service rejected the request: ${words} (code "${code}")`,
		'Check the values of this item against what the service accepts; its documentation or support can explain the code.',
		{ kind: 'rejected', statusCode: response.statusCode, responseCode: code },
	);
}

/** The words of a failed response, if it sent any in an envelope; a web page has none. */
function envelopeOf(response: ServiceResponse, secrets: string[]): Record<string, unknown> {
	try {
		return parseObject(response, secrets);
	} catch {
		return {};
	}
}

/**
 * Success is HTTP 2xx and the response code "00", as text (docs/interface.md, "Errors"). Every other response
 * is an error, each kind with its own sentence.
 *
 * @param secrets what must not be shown if the service echoes it
 * @throws ServiceError
 */
export function parseResponse(response: ServiceResponse, secrets: string[]): Envelope {
	const proxyError = proxyErrorOf(response);
	if (proxyError !== undefined) throw proxyError;
	const isSuccess = response.statusCode >= 200 && response.statusCode <= 299;
	if (!isSuccess) throw statusError(response, envelopeOf(response, secrets));
	const envelope = parseObject(response, secrets);
	if (envelope.responseCode !== successCode) throw unsuccessful(envelope, response);
	return { ...envelope, responseCode: successCode };
}
