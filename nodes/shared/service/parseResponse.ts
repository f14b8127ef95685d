import { parseExactJson } from '../fields/exactJson';
import { proxyErrorOf } from './proxy';
import { hideSecrets, serviceText } from './redact';
import { isRecord } from '../fields/isRecord';
import { type Answer, type Envelope, successCode } from './api';
import { ServiceError, type Outcome } from './serviceError';
import { statusError } from './statusError';

const checkBaseUrl =
	'Check the Base URL in the credential: it must be the address of the API, with its path, not of a web page.';

export function looksLikeWebPage(answer: Answer): boolean {
	const contentType = answer.headers['content-type'] ?? '';
	return /\bhtml\b/i.test(contentType) || /^\s*<(!doctype|html|\?xml|head|body)/i.test(answer.text);
}

/** What was asked may have been done: the answer does not tell. */
function unreadable(message: string, answer: Answer): ServiceError {
	return new ServiceError(message, checkBaseUrl, {
		kind: 'unreadable',
		statusCode: answer.statusCode,
	});
}

/** The object of a JSON answer, with the secrets hidden in it. */
export function parseObject(answer: Answer, secrets: string[]): Outcome<Record<string, unknown>> {
	if (answer.text.trim() === '') {
		return unreadable('The service answered with nothing at all', answer);
	}
	let value: unknown;
	try {
		value = hideSecrets(parseExactJson(answer.text), secrets);
	} catch {
		const what = looksLikeWebPage(answer) ? 'a web page instead of data' : 'broken JSON';
		return unreadable(`The service answered with ${what}`, answer);
	}
	return isRecord(value)
		? value
		: unreadable('The service answered with JSON that is not an object', answer);
}

function unsuccessful(envelope: Record<string, unknown>, answer: Answer): ServiceError {
	const { responseCode, responseMessage } = envelope;
	if (typeof responseCode !== 'string') {
		const problem =
			responseCode === undefined
				? 'without a response code'
				: 'with a response code that is not text';
		return unreadable(
			`The service answered ${problem}, so it is unknown whether it did what was asked`,
			answer,
		);
	}
	const words = serviceText(responseMessage);
	const code = serviceText(responseCode).slice(0, 20);
	return new ServiceError(
		words === ''
			? `The service refused with code "${code}" and gave no reason`
			: `The service refused: ${words} (code "${code}")`,
		'Check the values of this item against what the service accepts; its documentation or support knows the code.',
		{ kind: 'rejected', statusCode: answer.statusCode, responseCode: code },
	);
}

/**
 * Judges an answer: success is HTTP 2xx and the response code "00", as text (interface, "Errors").
 * Every other answer is an error, each kind with its own sentence.
 *
 * @param secrets what must not be shown if the service echoes it
 */
export function readAnswer(answer: Answer, secrets: string[]): Outcome<Envelope> {
	const proxyError = proxyErrorOf(answer);
	if (proxyError !== undefined) return proxyError;
	const envelope = parseObject(answer, secrets);
	const isSuccess = answer.statusCode >= 200 && answer.statusCode <= 299;
	if (!isSuccess) {
		// Its own words are shown if it sent any in an envelope; a web page is not.
		return statusError(answer, envelope instanceof ServiceError ? {} : envelope);
	}
	if (envelope instanceof ServiceError) return envelope;
	if (envelope.responseCode !== successCode) return unsuccessful(envelope, answer);
	return { ...envelope, responseCode: successCode };
}
