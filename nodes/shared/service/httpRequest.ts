import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from '../credentials/credential';
import { errorChain } from './errorChain';
import { stringifyExactJson } from '../fields/exactJson';
import { networkError } from './networkError';
import { senderOf } from './proxy';
import { readAnswer } from './parseResponse';
import { isRecord } from '../fields/isRecord';
import type { Answer, Envelope, ServiceRequest } from './api';
import type { Outcome } from './serviceError';

/** Asks n8n's HTTP helper for the raw text of every answer, so that one place judges all of them. */
export const rawAnswer = {
	encoding: 'text',
	json: false,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	// A followed redirect could hand a key to another host, and turns a POST into a GET.
	disableFollowRedirect: true,
} as const satisfies Partial<IHttpRequestOptions>;

/**
 * Statuses with which proxies refuse, for which n8n's HTTP helper shall throw: its error, unlike an
 * answer, tells whether a proxy wrote it. Not 401, after which n8n sends the request again. A short
 * list, for n8n copies it again and again for each item.
 */
const thrownStatuses = [
	301, 302, 303, 307, 308, 400, 403, 404, 405, 407, 408, 429, 500, 501, 502, 503, 504, 511,
];

/** A call of the service as n8n's HTTP helper takes it; the credential adds the key. */
export function toHttpOptions(
	request: ServiceRequest,
	credential: ServiceCredential,
): IHttpRequestOptions {
	return {
		method: request.method,
		baseURL: credential.baseUrl,
		url: request.path,
		headers: {
			Accept: 'application/json',
			...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(request.body === undefined ? {} : { body: stringifyExactJson(request.body) }),
		...rawAnswer,
		ignoreHttpStatusErrors: { ignore: true, except: thrownStatuses },
		...(credential.allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
}

/** The full response of n8n's HTTP helper, reduced to what the nodes look at. */
export function toAnswer(response: unknown): Answer {
	const { statusCode, body, headers, request } = isRecord(response) ? response : {};
	const entries = Object.entries(isRecord(headers) ? headers : {});
	const sender = senderOf(request, Number(statusCode));
	return {
		...(sender === undefined ? {} : { sender }),
		statusCode: Number(statusCode),
		text: typeof body === 'string' ? body : '',
		headers: Object.fromEntries(
			entries.map(([name, value]) => [name.toLowerCase(), typeof value === 'string' ? value : '']),
		),
	};
}

/** Judges an answer after hiding in it what it may echo: the key and the secrets of the request. */
export function readAnswerTo(
	request: ServiceRequest,
	credential: ServiceCredential,
	answer: Answer,
): Outcome<Envelope> {
	const values = [credential.key, credential.webhookSecret, request.body?.secret];
	// An empty one is no secret, and stands in many answers.
	const secrets = values.filter((value) => typeof value === 'string').filter(Boolean);
	return readAnswer(answer, secrets);
}

/** The answer for which n8n's HTTP helper threw an error, if it is complete. */
function answerWithin(error: unknown): Answer | undefined {
	for (const { response, request } of errorChain(error)) {
		if (isRecord(response) && typeof response.data === 'string') {
			const { status, data, headers } = response;
			return toAnswer({ statusCode: status, body: data, headers, request });
		}
	}
	return undefined;
}

/** Judges an error of n8n's HTTP helper, which has the answer in it when there was one. */
export function readErrorOf(
	request: ServiceRequest,
	credential: ServiceCredential,
	error: unknown,
): Outcome<Envelope> {
	const answer = answerWithin(error);
	return answer === undefined
		? networkError(error, credential.baseUrl)
		: readAnswerTo(request, credential, answer);
}
