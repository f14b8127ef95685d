import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from './credential';
import { stringifyExactJson } from './exactJson';
import { readAnswer } from './readAnswer';
import { isRecord } from './service';
import type { Answer, Envelope, ServiceRequest } from './service';
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
	};
}

/** The full response of n8n's HTTP helper, reduced to what the nodes look at. */
export function toAnswer(response: unknown): Answer {
	const { statusCode, body, headers } = isRecord(response) ? response : {};
	const entries = Object.entries(isRecord(headers) ? headers : {});
	return {
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
