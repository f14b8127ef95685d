import { codesOf, errorChain } from './errorChain';
import { noTunnelError } from './proxy';
import { ServiceError, type ServiceErrorKind } from './serviceError';

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
