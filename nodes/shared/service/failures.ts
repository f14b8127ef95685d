import { ServiceError, type ServiceErrorKind } from '../errors';
import { isRecord } from '../values';
import type { ServiceResponse } from './api';
import { serviceText } from './redact';

/**
 * An error and those inside it: n8n wraps a failed request once or twice, and where several addresses
 * of one host were tried, each has its own.
 */
export function errorChain(error: unknown, depth = 0): Array<Record<string, unknown>> {
	if (!isRecord(error) || depth === 5) return [];
	const several: unknown[] = Array.isArray(error.errors) ? error.errors : [];
	const inside = [error.cause ?? error.error ?? error.reason, ...several];
	return [error, ...inside.flatMap((inner) => errorChain(inner, depth + 1))];
}

export function codesOf(errors: Array<Record<string, unknown>>): string[] {
	return errors
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.filter((code) => typeof code === 'string');
}

/**
 * A forward proxy between n8n and the service can refuse a request in the service's place. What tells
 * them apart is the request of Node.js that n8n's HTTP client hands out with an answer or an error
 * (n8n facts, "Proxies"). Where it is missing, nothing is claimed.
 */

const settings =
	"HTTP_PROXY, HTTPS_PROXY and NO_PROXY of n8n, or 'Proxy' in the node's request options";
const nothingSent = 'Nothing was sent to the service.';

/** Who wrote a response, as far as its request tells. */
export function senderOf(request: unknown, statusCode: number): ServiceResponse['sender'] {
	const isLogin = statusCode === 407;
	if (!isRecord(request) || !isRecord(request.socket)) return isLogin ? 'proxy' : undefined;
	// What came through TLS was written at the service, by a proxy of its own perhaps.
	if (request.protocol === 'https:' && request.socket.encrypted === true) return undefined;
	if (isLogin) return 'proxy';
	// A tunnel that the proxy refuses: n8n's agent hands on the proxy's response, on a socket without TLS.
	if (request.protocol === 'https:') return 'proxy';
	// A request to a proxy names the whole address (RFC 9112, 3.2.2).
	const isForwarded = typeof request.path === 'string' && request.path.startsWith('http://');
	return isForwarded ? 'proxyOrService' : undefined;
}

/** None of it reached the service. */
function refusal(statusCode: number): ServiceError {
	if (statusCode === 407) {
		return new ServiceError(
			"n8n's proxy requires a user name and a password (HTTP 407)",
			`${nothingSent} Add them to the URL of the proxy (${settings}).`,
			{ kind: 'rejected' },
		);
	}
	return statusCode < 500
		? new ServiceError(
				`n8n's proxy refused the connection to the service (HTTP ${statusCode})`,
				`${nothingSent} Allow the host of the Base URL in the proxy, or check the settings of the proxy (${settings}).`,
				{ kind: 'rejected' },
			)
		: new ServiceError(
				`n8n's proxy could not connect to the service (HTTP ${statusCode})`,
				`${nothingSent} Check the Base URL in the credential and the settings of the proxy (${settings}).`,
				{ kind: 'notSent' },
			);
}

/** With plain HTTP, a proxy may have written the page before or after the service acted, or not at all. */
function errorPage(response: ServiceResponse): ServiceError {
	const { kind, retryAfter } = statusError(response, {}).details;
	const may = kind === 'answerLost' ? ' The request may still have been processed.' : '';
	return new ServiceError(
		`n8n's proxy, or the service behind it, rejected the request (HTTP ${response.statusCode})`,
		`Check the Base URL in the credential and the settings of the proxy (${settings}).${may}`,
		{ kind, ...(retryAfter === undefined ? {} : { retryAfter }) },
	);
}

/** @returns undefined for an answer of the service */
export function proxyErrorOf(response: ServiceResponse): ServiceError | undefined {
	const { sender, statusCode, text } = response;
	if (sender === 'proxy') return refusal(statusCode);
	const isPage = !text.trimStart().startsWith('{') && (statusCode === 403 || statusCode >= 500);
	return sender === 'proxyOrService' && isPage ? errorPage(response) : undefined;
}

/** Whether a connection failed that did not go to the service. */
function isElsewhere({ syscall, port, hostname }: Record<string, unknown>, service: URL): boolean {
	const servicePort = Number(service.port) || (service.protocol === 'https:' ? 443 : 80);
	if (syscall === 'connect') return port !== undefined && port !== servicePort;
	return syscall === 'getaddrinfo' && hostname !== undefined && hostname !== service.hostname;
}

/**
 * The error for a proxy that opened no connection; undefined when that is not certain. n8n's agents for
 * proxies give a request its socket when the proxy has opened one, all other agents give it at once.
 */
export function noTunnelError(
	errors: Array<Record<string, unknown>>,
	baseUrl: string | undefined,
): ServiceError | undefined {
	const service = baseUrl === undefined ? undefined : new URL(baseUrl);
	const isOutOfReach = service !== undefined && errors.some((error) => isElsewhere(error, service));
	const hasNoSocket = errors.some(({ request }) => isRecord(request) && request.socket === null);
	if (!isOutOfReach && !hasNoSocket) return undefined;
	return new ServiceError(
		isOutOfReach
			? 'n8n cannot reach its proxy'
			: "n8n's proxy did not open a connection to the service",
		`${nothingSent} Check the settings of the proxy (${settings}).`,
		{ kind: 'notSent' },
	);
}

interface Sentence {
	kind: ServiceErrorKind;
	message: string;
	advice: string;
}

const checkAddress = 'Check the Base URL in the credential.';
const askHost =
	'Check the Base URL in the credential, and that n8n can reach the service (firewall, proxy).';

const notReachable: Sentence = {
	kind: 'notSent',
	message: 'The service cannot be reached',
	advice: askHost,
};

const answerLost: Sentence = {
	kind: 'answerLost',
	message: 'The connection to the service was lost before the response was complete',
	advice: 'Try again later.',
};

const timedOut: Sentence = {
	kind: 'answerLost',
	message: 'The service did not respond in time',
	advice: "Try again later, or increase the timeout in the node's request options.",
};

/** The codes of Node.js and of its HTTP client for what can go wrong on the way. */
const sentences: Record<string, Sentence> = {
	ECONNREFUSED: {
		kind: 'notSent',
		message: 'Nothing accepts connections at the Base URL',
		advice:
			'Check the Base URL in the credential, including its port, and that the service is running.',
	},
	ENOTFOUND: {
		kind: 'notSent',
		message: 'The host in the Base URL does not exist',
		advice: checkAddress,
	},
	EAI_AGAIN: {
		kind: 'notSent',
		message: 'The host in the Base URL cannot be looked up at the moment',
		advice: askHost,
	},
	EHOSTUNREACH: notReachable,
	ENETUNREACH: notReachable,
	ECONNRESET: answerLost,
	EPIPE: answerLost,
	ERR_BAD_RESPONSE: answerLost,
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
		advice: checkAddress,
	},
};

const certificate: Sentence = {
	kind: 'rejected',
	message: 'The certificate of the service could not be verified',
	advice:
		"Check the Base URL in the credential and the certificate of the service. If it is your own service with a self-signed certificate, turn on 'Ignore SSL Issues (Insecure)' in the credential.",
};

const noHandshake: Sentence = {
	kind: 'rejected',
	message: 'Could not establish a secure connection to the service (TLS)',
	advice: 'Check the Base URL in the credential. Use https:// only if the service supports it.',
};

const handshakeBroke: Sentence = {
	kind: 'notSent',
	message: 'The connection to the service was lost before it was secure (TLS)',
	advice: askHost,
};

const tlsBroke: Sentence = {
	kind: 'answerLost',
	message: 'The secure connection to the service (TLS) failed',
	advice: 'Try again later. If this continues, check the Base URL in the credential.',
};

const notAllowed: Sentence = {
	kind: 'rejected',
	message: 'n8n does not allow a request to this URL',
	advice: 'Check the allowed domains in the credential and the settings of n8n.',
};

/** n8n refuses a request by rules of its own, such as the allowed domains of a credential. */
function isRule({ message }: Record<string, unknown>): boolean {
	return typeof message === 'string' && /domain|not allowed|blocked|restrict/i.test(message);
}

const tlsCode = /TLS|SSL|EPROTO/;

/** Node.js looks at the certificate before it sends anything. */
const certificateCode =
	/^(CERT_|CRL_|ERROR_IN_C|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$)/;

/**
 * Ends of a handshake that no connection in use can come to. A wrong version number is not among
 * them: its code also stands for an answer that something on the way spoilt.
 */
const handshakeCode = /^ERR_SSL_.*(HANDSHAKE_FAILURE|UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION)$/;

/** The same as reasons beside EPROTO, the code for what fails while the request still waits. */
const handshakeReason =
	/wrong version number|handshake failure|unsupported protocol|protocol version|unrecognized name/;

function hasFailedHandshake({ code, message }: Record<string, unknown>): boolean {
	return code === 'EPROTO' && typeof message === 'string' && handshakeReason.test(message);
}

/** In the words of Node.js, of a socket that was closed while the request still waited for TLS. */
function hasBrokenHandshake({ message }: Record<string, unknown>): boolean {
	return (
		typeof message === 'string' && message.includes('before secure TLS connection was established')
	);
}

/** What failed about TLS: surely before the request was sent, or possibly after it. */
function tlsSentence(
	errors: Array<Record<string, unknown>>,
	codes: string[],
): Sentence | undefined {
	if (codes.some((code) => certificateCode.test(code))) return certificate;
	const isRefused = codes.some((code) => handshakeCode.test(code));
	if (isRefused || errors.some(hasFailedHandshake)) return noHandshake;
	return codes.some((code) => tlsCode.test(code)) ? tlsBroke : undefined;
}

function sentenceFor(errors: Array<Record<string, unknown>>): Sentence | undefined {
	if (errors.some(hasBrokenHandshake)) return handshakeBroke;
	const codes = codesOf(errors);
	const known = codes.find((code) => Object.hasOwn(sentences, code));
	const sentence = known === undefined ? tlsSentence(errors, codes) : sentences[known];
	if (sentence === certificate || sentence === noHandshake) return sentence;
	// Without a connection nothing was sent, whatever the code (ETIMEDOUT, EADDRNOTAVAIL …).
	const isConnecting = errors.some(({ syscall }) => syscall === 'connect');
	return isConnecting && sentence?.kind !== 'notSent' ? notReachable : sentence;
}

/**
 * Turns an error of n8n's HTTP helper into words and into what it means for the request. The
 * original, which holds the request with its key, is dropped.
 *
 * @param baseUrl of the service, if that is who was asked
 */
export function networkError(error: unknown, baseUrl?: string): ServiceError {
	const errors = errorChain(error);
	const sentence = sentenceFor(errors) ?? (errors.some(isRule) ? notAllowed : answerLost);
	const isStopped = sentence.kind === 'canceled' || sentence === notAllowed;
	const noTunnel = isStopped ? undefined : noTunnelError(errors, baseUrl);
	const { kind, message, advice } = sentence;
	return noTunnel ?? new ServiceError(message, advice, { kind });
}

interface Words {
	message: string;
	advice: string;
}

/** After a POST, these redirects can lead to a page that shows what came of it. */
function pointsToResult(statusCode: number): boolean {
	return statusCode === 302 || statusCode === 303;
}

function wordsFor(statusCode: number): Words {
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
	const { message, advice } = wordsFor(statusCode);
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
