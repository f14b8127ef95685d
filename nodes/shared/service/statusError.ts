import type { ServiceResponse } from './api';
import { serviceText } from './redact';
import { ServiceError, type ServiceErrorKind } from './serviceError';

interface Sentence {
	message: string;
	advice: string;
}

/** After a POST, these redirects can lead to a page that shows what came of it. */
function pointsToResult(statusCode: number): boolean {
	return statusCode === 302 || statusCode === 303;
}

function sentenceFor(statusCode: number): Sentence {
	if (statusCode >= 300 && statusCode < 400) {
		return {
			message: 'The service redirected the request to another URL',
			advice:
				'Enter the final URL as Base URL in the credential. Often it is enough to change http:// to https://.',
		};
	}
	switch (statusCode) {
		case 401:
			return {
				message: 'The service does not accept the key',
				advice:
					'Check the key in the credential. Payment pages need the private key, webhook registration needs the API key. The service shows them in different places.',
			};
		case 403:
			return {
				message: 'The service does not allow this with this key',
				advice:
					'Check that the key belongs to this merchant ID and has the permission. Payment pages need the private key, webhook registration needs the API key.',
			};
		case 404:
			return {
				message: 'The service has nothing at this URL',
				advice:
					'Check that the Base URL in the credential is complete, including the path of the API.',
			};
		case 408:
		case 504:
			return {
				message: 'The service took too long to respond',
				advice: 'Try again later.',
			};
		case 429:
			return {
				message: 'The service is receiving too many requests',
				advice: 'Try again in a few minutes.',
			};
	}
	if (statusCode >= 500) {
		return {
			message: 'The service could not process the request',
			advice: "Try again later. If this continues, contact the service's support.",
		};
	}
	return {
		message: 'The service rejected the request',
		advice: 'Check the values of this item against what the service accepts.',
	};
}

/**
 * A server or a gateway can fail after the request was carried out. That it was not is what 429 says,
 * and 503 when it asks to come again; a 503 without that can be a gateway's guess.
 */
function kindOf(statusCode: number, retryAfter: number | undefined): ServiceErrorKind {
	if (statusCode === 429 || (statusCode === 503 && retryAfter !== undefined)) return 'busy';
	if (pointsToResult(statusCode)) return 'unreadable';
	return statusCode === 408 || statusCode >= 500 ? 'answerLost' : 'rejected';
}

/** Longest wait that a service can ask for, in milliseconds. */
const maxRetryAfter = 60_000;

const seconds = /^\d+$/;

/** All three forms of a date in a header begin with the day of the week. */
const date = /^(mon|tue|wed|thu|fri|sat|sun)/i;

const zone = /([a-z]|[+-]\d{4})$/i;

/**
 * Reads a date of a header (RFC 9110, 5.6.7). Its third form, that of asctime, names no zone and
 * means GMT, where `Date.parse` would take local time.
 *
 * @returns milliseconds since 1970; NaN when it is no date
 */
export function readHttpDate(text: string): number {
	if (!date.test(text)) return NaN;
	return Date.parse(zone.test(text) ? text : `${text} GMT`);
}

/**
 * Reads the header `Retry-After` (RFC 9110, 10.2.3): seconds or a date.
 *
 * @returns milliseconds, at most 60,000; undefined when the header is absent or makes no sense
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
	if (value === undefined) return undefined;
	const text = value.trim();
	const wait = seconds.test(text) ? Number(text) * 1000 : readHttpDate(text) - now;
	if (Number.isNaN(wait)) return undefined;
	return Math.min(Math.max(wait, 0), maxRetryAfter);
}

/** The code belongs in the text: on the error output of the node, nothing else could tell it. */
function toMessage(sentence: string, statusCode: number, words: string, code: string): string {
	const reason = words === '' ? '' : `: ${words}`;
	const shownCode = code === '' ? '' : ` (code "${code}")`;
	return `${sentence} (HTTP ${statusCode})${reason}${shownCode}`;
}

/** The error for an HTTP status other than 2xx, with the service's own words and code if it sent any. */
export function statusError(
	response: ServiceResponse,
	envelope: Record<string, unknown>,
): ServiceError {
	const { statusCode } = response;
	const { message, advice } = sentenceFor(statusCode);
	const words = serviceText(envelope.responseMessage);
	const code = serviceText(envelope.responseCode).slice(0, 20);
	const retryAfter = readRetryAfter(response.headers['retry-after'], Date.now());
	return new ServiceError(toMessage(message, statusCode, words, code), advice, {
		kind: kindOf(statusCode, retryAfter),
		statusCode,
		...(code === '' ? {} : { responseCode: code }),
		...(retryAfter === undefined ? {} : { retryAfter }),
	});
}
