import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from '../credentials/credential';
import { stringifyExactJson } from '../fields/exactJson';
import { isRecord } from '../fields/isRecord';
import type { ServiceRequest, ServiceResponse } from './api';
import { senderOf } from './proxy';

/** Asks n8n's HTTP client for the raw text of every response, so that one place judges all of them. */
export const rawResponse = {
	encoding: 'text',
	json: false,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	// A followed redirect could hand a key to another host, and turns a POST into a GET.
	disableFollowRedirect: true,
} as const satisfies Partial<IHttpRequestOptions>;

/**
 * Statuses with which proxies refuse, for which n8n's HTTP client shall throw: its error, unlike a
 * response, tells whether a proxy wrote it. Not 401, after which n8n sends the request again. A short
 * list, because n8n copies it several times for each item.
 */
const thrownStatuses = [
	301, 302, 303, 307, 308, 400, 403, 404, 405, 407, 408, 429, 500, 501, 502, 503, 504, 511,
];

/** A request to the service as n8n's HTTP client takes it; the credential adds the key. */
export function toHttpOptions(
	{ method, path, body }: ServiceRequest,
	{ baseUrl, allowUnauthorizedCerts }: ServiceCredential,
): IHttpRequestOptions {
	return {
		method,
		baseURL: baseUrl,
		url: path,
		headers: {
			Accept: 'application/json',
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: stringifyExactJson(body) }),
		...rawResponse,
		ignoreHttpStatusErrors: { ignore: true, except: thrownStatuses },
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
}

/** The full response of n8n's HTTP client, reduced to what the nodes look at. */
export function toServiceResponse(response: unknown): ServiceResponse {
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
