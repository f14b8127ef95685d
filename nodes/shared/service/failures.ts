import { UserError } from 'n8n-workflow';

import type { CredentialName } from '../credential';
import { ServiceError, serviceText, type ServiceErrorKind } from '../errors';
import { isRecord } from '../values';

/**
 * What can go wrong with a request: what it means (`kind`), what is said, and what to do. What can't
 * be told apart safely counts as a lost answer. The words of an error decide nothing.
 */

/** A response as it came. */
export interface ServiceResponse {
	statusCode: number;
	text: string;
	/** Header names in lower case. */
	headers: Record<string, string>;
}

interface Failure {
	kind: ServiceErrorKind;
	message: string;
	/** `{url}`, `{place}` and `{key}` are filled in, in the message, too. */
	advice: string;
}

const statuses: Record<number, Failure> = {
	401: { kind: 'rejected', message: 'The service does not accept the key', advice: '{key}' },
	403: {
		kind: 'rejected',
		message: 'The service does not allow this with this key',
		advice: 'Check that the key and the merchant ID in the credential belong together. {key}',
	},
	404: {
		kind: 'rejected',
		message: 'Nothing is at {url}',
		advice:
			"Compare it with the address in the service's documentation, and correct 'Base URL' in the credential.",
	},
	407: {
		kind: 'rejected',
		message: "n8n's proxy requires a user name and a password",
		advice: "Add them to the URL of the proxy, in n8n's settings or in the node's request options.",
	},
	408: {
		kind: 'answerLost',
		message: 'The service took too long to respond',
		advice: 'Try again later.',
	},
	429: {
		kind: 'busy',
		message: 'The service is receiving too many requests',
		advice: 'Try again in a few minutes.',
	},
	504: {
		kind: 'answerLost',
		message: 'The service took too long to respond',
		advice: 'Try again later.',
	},
};

const redirect: Failure = {
	kind: 'rejected',
	message: 'The service redirected the request to {place}',
	advice: "Correct 'Base URL' in the credential. Often it is enough to change http:// to https://.",
};

const clientStatus: Failure = {
	kind: 'rejected',
	message: 'The service rejected the request',
	advice: 'Compare the values of this row with what the service accepts.',
};

/** A server, a gateway or n8n's proxy can fail after the request was carried out. */
const serverStatus: Failure = {
	kind: 'answerLost',
	message: 'The service could not process the request',
	advice: "Try again later. If this continues, contact the service's support.",
};

const notReachable: Failure = {
	kind: 'notSent',
	message: 'The service cannot be reached',
	advice:
		"Check 'Base URL' in the credential, and that n8n can reach the service (firewall, proxy).",
};

const timedOut: Failure = {
	kind: 'answerLost',
	message: 'The service did not respond in time',
	advice: "Try again later, or increase the timeout in the node's request options.",
};

const answerLost: Failure = {
	kind: 'answerLost',
	message: 'The connection to the service was lost before the response was complete',
	advice: 'Try again later.',
};

/** The codes of Node.js and of its HTTP client. */
const codes: Record<string, Failure> = {
	ECONNREFUSED: {
		kind: 'notSent',
		message: 'Nothing accepts connections at the Base URL',
		advice: "Check its port, and that the service (and n8n's proxy, if it has one) is running.",
	},
	ENOTFOUND: {
		kind: 'notSent',
		message: 'The host in the Base URL does not exist',
		advice: "Check 'Base URL' in the credential.",
	},
	EAI_AGAIN: {
		...notReachable,
		message: 'The host in the Base URL cannot be looked up at the moment',
	},
	ECONNABORTED: timedOut,
	ETIMEDOUT: timedOut,
	ESOCKETTIMEDOUT: timedOut,
	// n8n takes an execution for canceled, and not for failed, only if the message has that word.
	ERR_CANCELED: {
		kind: 'canceled',
		message: 'The execution was canceled before the service responded',
		advice: 'The request may still have been processed.',
	},
	ERR_INVALID_URL: {
		kind: 'rejected',
		message: 'The Base URL is not a valid URL',
		advice: "Check 'Base URL' in the credential.",
	},
};

/** Node.js looks at the certificate before it sends anything. */
const certificate: Failure = {
	kind: 'rejected',
	message: 'The certificate of the service could not be verified',
	advice:
		"Check 'Base URL' and the certificate of the service. If it is your own service with a self-signed certificate, turn on 'Ignore SSL Issues (Insecure)' in the credential.",
};

const certificateCode =
	/^(CERT_|CRL_|ERROR_IN_C|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$)/;

/** A handshake, which comes before the request, and what breaks after it share their codes. */
const tls: Failure = {
	kind: 'answerLost',
	message: 'The secure connection to the service (TLS) failed',
	advice: "Check 'Base URL' in the credential: use https:// only if the service supports it.",
};

const tlsCode = /TLS|SSL|EPROTO/;

/** n8n's own rules, such as the allowed domains of a credential, are errors of this class. */
const notAllowed: Failure = {
	kind: 'rejected',
	message: 'n8n does not allow a request to this URL',
	advice: 'Check the allowed domains in the credential and the settings of n8n.',
};

/**
 * An error and those inside it: n8n wraps a failed request once or twice, and where several addresses
 * of one host were tried, each has its own.
 */
function errorChain(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if (!isRecord(error) || depth === 5) return [];
	const several: unknown[] = Array.isArray(error.errors) ? error.errors : [];
	const inside = [error.cause ?? error.error ?? error.reason, ...several];
	return [error, ...inside.flatMap((inner) => errorChain(inner, depth + 1))];
}

function failureIn(errors: Array<Record<string, unknown>>): Failure {
	const found = errors
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.filter((code) => typeof code === 'string');
	const known = found.find((code) => Object.hasOwn(codes, code));
	const failure = known === undefined ? undefined : codes[known];
	if (failure?.kind === 'canceled' || failure?.kind === 'notSent') return failure;
	if (errors.some((error) => error instanceof UserError)) return notAllowed;
	if (found.some((code) => certificateCode.test(code))) return certificate;
	// Without a connection nothing was sent, whatever the code (ETIMEDOUT, EADDRNOTAVAIL …).
	if (errors.some(({ syscall }) => syscall === 'connect')) return notReachable;
	return failure ?? (found.some((code) => tlsCode.test(code)) ? tls : answerLost);
}

const ownMachine = /^https?:\/\/(localhost|127\.|\[::1\])/i;

/**
 * Turns an error of n8n's HTTP helper into words and into what it means for the request. The
 * original, which holds the request with its key, is dropped.
 *
 * @param baseUrl of the service, if that is who was asked
 */
export function networkError(error: unknown, baseUrl = ''): ServiceError {
	const { kind, message, advice } = failureIn(errorChain(error));
	const inDocker =
		kind === 'notSent' && ownMachine.test(baseUrl)
			? ' In Docker, this address is the container itself: use the name of the host.'
			: '';
	return new ServiceError(message, `${advice}${inDocker}`, { kind });
}

/** Longest wait that a service can ask for, in milliseconds. */
const maxRetryAfter = 60_000;

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
	const wait = /^\d+$/.test(text) ? Number(text) * 1000 : readHttpDate(text) - now;
	if (Number.isNaN(wait)) return undefined;
	return Math.min(Math.max(wait, 0), maxRetryAfter);
}

/** What was asked, for the words of a failure. */
export interface Asked {
	url: string;
	credential: CredentialName;
	/** What must not be shown if the service echoes it. */
	secrets: string[];
}

const keys: Record<CredentialName, string> = {
	paymentPagesPrivateKeyApi:
		"Enter the merchant's private key in the credential. The API key from Settings does not work here.",
	paymentPagesApiKeyApi:
		"Enter the API key (at the service: Settings, API Keys) in the credential. The merchant's private key does not work here.",
};

function rowFor(statusCode: number): Failure {
	if (statusCode >= 300 && statusCode < 400) {
		// After a POST, these two can lead to a page that shows what came of it.
		return [302, 303].includes(statusCode) ? { ...redirect, kind: 'unreadable' } : redirect;
	}
	return statuses[statusCode] ?? (statusCode >= 500 ? serverStatus : clientStatus);
}

/** The host to which a response redirects. */
function placeOf(location: string | undefined, url: string): string {
	if (location === undefined || !URL.canParse(location, url)) return 'another URL';
	return new URL(location, url).origin;
}

/** The error for an HTTP status other than 2xx, with the service's own words and code if it sent any. */
export function statusError(
	{ statusCode, headers }: ServiceResponse,
	envelope: Record<string, unknown>,
	{ url, credential }: Asked,
): ServiceError {
	const row = rowFor(statusCode);
	const fill = (text: string) =>
		text
			.replace('{key}', keys[credential])
			.replace('{place}', () => placeOf(headers.location, url))
			.replace('{url}', () => url);
	const words = serviceText(envelope.responseMessage);
	const code = serviceText(envelope.responseCode).slice(0, 20);
	const retryAfter = readRetryAfter(headers['retry-after'], Date.now());
	// A 503 that names a time to come back did nothing; one without it can be a gateway's guess.
	const isBusy = statusCode === 503 && retryAfter !== undefined;
	// The code belongs in the text: on the error output of the node, nothing else could tell it.
	const reason = `${words === '' ? '' : `: ${words}`}${code === '' ? '' : ` (code "${code}")`}`;
	return new ServiceError(`${fill(row.message)} (HTTP ${statusCode})${reason}`, fill(row.advice), {
		kind: isBusy ? 'busy' : row.kind,
		statusCode,
		...(code === '' ? {} : { responseCode: code }),
		...(retryAfter === undefined ? {} : { retryAfter }),
	});
}
