import { UserError } from 'n8n-workflow';

import type { CredentialName } from '../credential';
import { ServiceError, serviceText, type ServiceErrorKind } from '../errors';
import { isRecord } from '../values';

/**
 * What can go wrong with a request. What can't be told apart safely counts as a lost answer, and the
 * words of an error decide nothing.
 */

/** A response as it came. */
export interface ServiceResponse {
	statusCode: number;
	text: string;
	headers: Record<string, string>; // header names in lower case
}

/** What it means, what is said, and what to do; `{url}`, `{place}` and the like are filled in. */
type Failure = [kind: ServiceErrorKind, message: string, advice: string];

const baseUrl = "Check 'Base URL' in the credential.";

/** For a response that does not come from the service, or not from this part of it. */
export const compareUrl =
	"Compare {url} with the address in the service's documentation, and correct 'Base URL' in the credential: it is what stands before '/PaymentPages/Add'.";

const later = 'Try again later.';
const slow: Failure = ['answerLost', 'The service took too long to respond', later];

const statuses: Record<number, Failure> = {
	401: ['rejected', 'The service does not accept the key', '{key}'],
	403: [
		'rejected',
		'The service does not allow this with this key',
		'Check that the merchant ID and the key in the credential belong together.',
	],
	404: ['rejected', 'Nothing is at {url}', compareUrl.replace('{url}', 'it')],
	407: [
		'rejected',
		"n8n's proxy requires a user name and a password",
		"Add them to the URL of the proxy, in n8n's settings or in the node's request options.",
	],
	408: slow,
	429: ['busy', 'The service is receiving too many requests', 'Try again in a few minutes.'],
	504: slow,
};

const redirect: Failure = ['rejected', 'The service redirected the request to {place}', compareUrl];

const otherStatus: Failure = [
	'rejected',
	'The service rejected the request',
	'Compare the values of this row with what the service accepts.',
];

/** A server, a gateway or n8n's proxy can fail after the request was carried out. */
const serverStatus: Failure = [
	'answerLost',
	'The service could not process the request',
	"Try again later, or contact the service's support.",
];

const reach = `${baseUrl.slice(0, -1)}, and that n8n can reach the service (firewall, proxy).`;

const notReachable: Failure = ['notSent', 'The service cannot be reached', reach];

const timedOut: Failure = [
	'answerLost',
	'The service did not respond in time',
	"Try again later, or increase the timeout in the node's request options.",
];

/** The codes of Node.js and of its HTTP client. */
const codes: Record<string, Failure> = {
	ECONNREFUSED: [
		'notSent',
		'Nothing accepts connections at the Base URL',
		"Check its port, and that the service (and n8n's proxy, if it has one) is running.",
	],
	ENOTFOUND: ['notSent', 'The host in the Base URL does not exist', baseUrl],
	EAI_AGAIN: ['notSent', 'The host in the Base URL cannot be looked up at the moment', reach],
	ECONNABORTED: timedOut,
	ETIMEDOUT: timedOut,
	ESOCKETTIMEDOUT: timedOut,
	// For n8n, an execution is canceled, not failed, only if the message has that word (fact 11).
	ERR_CANCELED: [
		'canceled',
		'The execution was canceled before the service responded',
		'The request may still have been processed.',
	],
	ERR_INVALID_URL: ['rejected', 'The Base URL is not a valid URL', baseUrl],
};

const answerLost: Failure = [
	'answerLost',
	'The connection to the service was lost before the response was complete',
	later,
];

/** Node.js looks at the certificate before it sends anything. */
const certificate: Failure = [
	'rejected',
	'The certificate of the service could not be verified',
	"Check 'Base URL' and the certificate of the service. If it is your own service with a self-signed certificate, turn on 'Ignore SSL Issues (Insecure)' in the credential.",
];

const certificateCode =
	/^(CERT_|CRL_|ERROR_IN_C|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$)/;

/** A handshake, which comes before the request, and what breaks after it share their codes. */
const tls: Failure = [
	'answerLost',
	'The secure connection to the service (TLS) failed',
	`${baseUrl.slice(0, -1)}: use https:// only if the service supports it.`,
];

/** n8n's own rules, such as the allowed domains of a credential, are errors of the class UserError. */
const notAllowed: Failure = [
	'rejected',
	'n8n does not allow a request to this URL',
	'Check the allowed domains in the credential and the settings of n8n.',
];

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
	const all = errors.flatMap(({ code, httpCode }) => [code, httpCode]);
	const found = all.filter((code) => typeof code === 'string');
	const known = found.find((code) => Object.hasOwn(codes, code));
	const failure = known === undefined ? undefined : codes[known];
	if (failure?.[0] === 'canceled' || failure?.[0] === 'notSent') return failure;
	if (errors.some((error) => error instanceof UserError)) return notAllowed;
	if (found.some((code) => certificateCode.test(code))) return certificate;
	// Without a connection nothing was sent, whatever the code (fact 53).
	if (errors.some(({ syscall }) => syscall === 'connect')) return notReachable;
	return failure ?? (found.some((code) => /TLS|SSL|EPROTO/.test(code)) ? tls : answerLost);
}

/**
 * Turns an error of n8n's HTTP helper into words and into what it means for the request. The
 * original, which holds the request with its key, is dropped.
 *
 * @param url of the service, if that is who was asked
 */
export function networkError(error: unknown, url = ''): ServiceError {
	const [kind, message, advice] = failureIn(errorChain(error));
	const isOwnMachine = /^https?:\/\/(localhost|127\.|\[::1\])/i.test(url);
	const docker = ' In Docker, this address is the container itself: use the name of the host.';
	const more = kind === 'notSent' && isOwnMachine ? docker : '';
	return new ServiceError(message, `${advice}${more}`, { kind });
}

/** Milliseconds of `Retry-After` (RFC 9110, 10.2.3: seconds, or a date in GMT), at most 60,000. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
	const text = value?.trim() ?? '';
	const date = / GMT$/.test(text) ? Date.parse(text) : NaN;
	const wait = /^\d+$/.test(text) ? Number(text) * 1000 : date - now;
	return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 60_000);
}

/** What was asked, for the words of a failure. */
export interface Asked {
	url: string;
	credential: CredentialName;
	secrets: string[]; // what must not be shown if the service echoes it
}

const keys: Record<CredentialName, string> = {
	paymentPagesPrivateKeyApi:
		"Enter the merchant's private key in the credential. The API key from Settings does not work here.",
	paymentPagesApiKeyApi:
		"Enter the API key (at the service: Settings, API Keys) in the credential. The merchant's private key does not work here.",
};

function failureFor(statusCode: number): Failure {
	if (statusCode < 300 || statusCode >= 400) {
		return statuses[statusCode] ?? (statusCode >= 500 ? serverStatus : otherStatus);
	}
	// After a POST, these two can lead to a page that shows what came of it.
	const [kind, ...words] = redirect;
	return [statusCode === 302 || statusCode === 303 ? 'unreadable' : kind, ...words];
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
	const [kind, message, advice] = failureFor(statusCode);
	const fill = (text: string) =>
		text
			.replace('{key}', keys[credential])
			.replace('{place}', () => placeOf(headers.location, url))
			.replace('{url}', () => url);
	const words = serviceText(envelope.responseMessage);
	const responseCode = serviceText(envelope.responseCode).slice(0, 20);
	const retryAfter = readRetryAfter(headers['retry-after'], Date.now());
	// A 503 that names a time to come back did nothing; one without it can be a gateway's guess.
	const isBusy = statusCode === 503 && retryAfter !== undefined;
	// The code belongs in the text: on the error output of the node, nothing else could tell it.
	const code = responseCode === '' ? '' : ` (code "${responseCode}")`;
	const reason = `${words === '' ? '' : `: ${words}`}${code}`;
	return new ServiceError(`${fill(message)} (HTTP ${statusCode})${reason}`, fill(advice), {
		kind: isBusy ? 'busy' : kind,
		statusCode,
		...(responseCode === '' ? {} : { responseCode }),
		...(retryAfter === undefined ? {} : { retryAfter }),
	});
}
