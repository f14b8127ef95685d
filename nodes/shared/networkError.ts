import { isRecord } from './service';
import { ServiceError } from './serviceError';
import type { ServiceErrorKind } from './serviceError';

interface Sentence {
	kind: ServiceErrorKind;
	message: string;
	advice: string;
}

const checkAddress = 'Check the Base URL in the credential.';
const askHost =
	'Check the Base URL in the credential, and that this n8n may reach the service (firewall, proxy).';

const notReachable: Sentence = {
	kind: 'notSent',
	message: 'The service cannot be reached',
	advice: askHost,
};

const answerLost: Sentence = {
	kind: 'answerLost',
	message: 'The connection to the service broke before its answer was complete',
	advice: 'Try again later. What was asked may have happened all the same.',
};

const timedOut: Sentence = {
	kind: 'answerLost',
	message: 'The service did not answer in time',
	advice:
		'Try again later, or give it more time in the request options of the node. What was asked may have happened all the same.',
};

/** The codes of Node.js and of its HTTP client for what can go wrong on the way. */
const sentences: Record<string, Sentence> = {
	ECONNREFUSED: {
		kind: 'notSent',
		message: 'Nothing accepts connections at the address of the service',
		advice: 'Check the Base URL in the credential, its port too, and that the service is running.',
	},
	ENOTFOUND: {
		kind: 'notSent',
		message: 'The host in the address of the service does not exist',
		advice: checkAddress,
	},
	EAI_AGAIN: {
		kind: 'notSent',
		message: 'The host in the address of the service cannot be looked up at the moment',
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
		kind: 'cancelled',
		message: 'The execution was canceled before the service answered',
		advice: 'What was asked may have happened all the same.',
	},
	ERR_INVALID_URL: {
		kind: 'refused',
		message: 'The address of the service is not a web address',
		advice: checkAddress,
	},
};

const certificate: Sentence = {
	kind: 'refused',
	message: 'No secure connection to the service came about (its certificate or TLS)',
	advice:
		'Check that the Base URL in the credential starts with https:// only if the service speaks it, and that its certificate is valid.',
};

const tlsCode = /CERT|TLS|SSL|EPROTO|UNABLE_TO_VERIFY|ERR_OSSL/;

/** n8n wraps a failed request once or twice; the code stands on the innermost error. */
function* chain(error: unknown): Generator<Record<string, unknown>> {
	let current: unknown = error;
	for (let depth = 0; depth < 5 && isRecord(current); depth++) {
		yield current;
		current = current.cause ?? current.error ?? current.reason;
	}
}

function findCode(error: unknown): string | undefined {
	for (const link of chain(error)) {
		for (const code of [link.code, link.httpCode]) {
			if (typeof code === 'string' && (code in sentences || tlsCode.test(code))) return code;
		}
		if (Array.isArray(link.errors)) {
			// Several addresses of one host were tried: any of them tells.
			const code = link.errors.map((inner: unknown) => findCode(inner)).find(Boolean);
			if (code !== undefined) return code;
		}
	}
	return undefined;
}

function findWords(error: unknown): string {
	for (const link of chain(error)) {
		if (typeof link.message === 'string') return link.message;
	}
	return '';
}

/**
 * Turns an error of n8n's HTTP helper into words and into what it means for the request. The
 * original, which holds the request with its key, is dropped.
 */
export function networkError(error: unknown): ServiceError {
	const code = findCode(error);
	const sentence = code === undefined ? undefined : (sentences[code] ?? certificate);
	if (sentence === undefined) {
		// n8n refuses a request by rules of its own, such as the allowed domains of a credential.
		const isRule = /domain|not allowed|blocked|restrict/i.test(findWords(error));
		return isRule
			? new ServiceError(
					'n8n does not allow a request to this address',
					'Check the allowed domains in the credential and the rules of this n8n.',
					{ kind: 'refused' },
				)
			: new ServiceError(answerLost.message, answerLost.advice, { kind: 'answerLost' });
	}
	return new ServiceError(sentence.message, sentence.advice, { kind: sentence.kind });
}
