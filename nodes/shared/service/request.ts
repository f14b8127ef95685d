import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from '../credential';
import { ServiceError } from '../errors';
import { type ExactNumber, stringifyExactJson } from '../exactJson';
import { isRecord, toPathSegment } from '../values';
import type { Envelope, ServiceRequest, ServiceResponse } from './api';
import { errorChain, networkError, senderOf } from './failures';
import { parseResponse } from './response';

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

/** How n8n sends a request: it depends on the kind of node function that sends it. */
export type Transport = (options: IHttpRequestOptions) => Promise<ServiceResponse>;

/** The response for which n8n's HTTP client threw an error, if it is complete. */
function responseWithin(error: unknown): ServiceResponse | undefined {
	for (const { response, request } of errorChain(error)) {
		if (isRecord(response) && typeof response.data === 'string') {
			const { status, data, headers } = response;
			return toServiceResponse({ statusCode: status, body: data, headers, request });
		}
	}
	return undefined;
}

/**
 * Sends a request and waits for the response, whatever it says.
 *
 * @throws ServiceError when there is no complete response
 */
export async function fetchResponse(
	request: ServiceRequest,
	credential: ServiceCredential,
	transport: Transport,
): Promise<ServiceResponse> {
	try {
		return await transport(toHttpOptions(request, credential));
	} catch (error) {
		const response = responseWithin(error);
		if (response === undefined) throw networkError(error, credential.baseUrl);
		return response;
	}
}

/** What a response may echo and nobody may see. An empty one is no secret, and stands in many texts. */
function secretsOf({ body }: ServiceRequest, { key, webhookSecret }: ServiceCredential): string[] {
	return [key, webhookSecret, body?.secret].filter(
		(value) => typeof value === 'string' && value !== '',
	) as string[];
}

/**
 * Sends one request to the service.
 *
 * @throws ServiceError when the service did not do what was asked, or may not have
 */
export async function sendRequest(
	request: ServiceRequest,
	credential: ServiceCredential,
	transport: Transport,
): Promise<Envelope> {
	const response = await fetchResponse(request, credential, transport);
	return parseResponse(response, secretsOf(request, credential));
}

/** Relative to the base URL (docs/interface.md, "Register webhook URL"). */
export const registerWebhookPath = '/WebhookRegistration/RegisterWebhook';

/** Register webhook URL (docs/interface.md, "Register webhook URL"): the later registration wins. */
export function registerWebhookRequest(
	webhookUrl: string,
	merchantId: ExactNumber,
	secret: string,
): ServiceRequest {
	return { method: 'POST', path: registerWebhookPath, body: { webhookUrl, merchantId, secret } };
}

/** The URL as the service registered it; how it changes it (a slash at the end) is not shown. */
export function registeredUrl({ data }: Envelope): string | undefined {
	const url = isRecord(data) ? data.webhookUrl : undefined;
	return typeof url === 'string' && url !== '' ? url : undefined;
}

/**
 * Relative to the base URL, before the reference (docs/interface.md, "Validate payment page reference").
 * "Refernce" is the service's own spelling.
 */
export const validateReferencePath = '/PaymentPages/ValidatePaymentPageLinkRefernce/';

/**
 * Asks whether a page with this reference exists.
 *
 * @param path before the reference
 */
export function validateReferenceRequest(
	reference: string,
	path = validateReferencePath,
): ServiceRequest {
	return { method: 'GET', path: `${path}${toPathSegment(reference)}` };
}

/**
 * Whether the page exists: the service calls a reference valid when it does.
 *
 * @throws ServiceError when the response does not say
 */
export function pageExistsIn({ data }: Envelope): boolean {
	const isValid = isRecord(data) ? data.isValid : undefined;
	if (typeof isValid === 'boolean') return isValid;
	throw new ServiceError(
		'The service did not say whether the reference exists',
		"Check the Base URL in the credential. If it is right, contact the service's support.",
		{ kind: 'unreadable' },
	);
}
