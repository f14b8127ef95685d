import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from '../credential';
import { ServiceError } from '../errors';
import { stringifyExactJson, type ExactNumber, type RequestBody } from '../exactJson';
import { isRecord, toPathSegment } from '../values';
import { networkError, type Asked, type ServiceResponse } from './failures';
import { parseResponse, type Envelope } from './response';

/** One request to the service (docs/interface.md, "Endpoints"). */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string; // relative to the base URL, encoded
	body?: RequestBody;
}

/** Asks n8n's HTTP client for the raw text of each response (fact 6): one place judges them all. */
export const rawResponse = {
	encoding: 'text',
	json: false,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	// A followed redirect could hand a key to another host, and turns a POST into a GET.
	disableFollowRedirect: true,
} as const satisfies Partial<IHttpRequestOptions>;

/** A request to the service as n8n's HTTP client takes it; the credential adds the key. */
function toHttpOptions(
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
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
}

/** The full response of n8n's HTTP client, reduced to what the nodes look at. */
export function toServiceResponse(response: unknown): ServiceResponse {
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

/** How n8n sends a request: it depends on the kind of node function that sends it. */
export type Transport = (options: IHttpRequestOptions) => Promise<ServiceResponse>;

/** @throws ServiceError when there is no complete response */
export async function fetchResponse(
	request: ServiceRequest,
	credential: ServiceCredential,
	transport: Transport,
): Promise<ServiceResponse> {
	try {
		return await transport(toHttpOptions(request, credential));
	} catch (error) {
		throw networkError(error, credential.baseUrl);
	}
}

/** What was asked, and the secrets that its response may echo. */
export function toAsked({ path, body }: ServiceRequest, credential: ServiceCredential): Asked {
	const { name, baseUrl, key, webhookSecret } = credential;
	const secrets = [key, webhookSecret, body?.secret].filter((value) => typeof value === 'string');
	return {
		url: `${baseUrl}${path}`,
		credential: name,
		// An empty one is no secret, and stands in many texts.
		secrets: secrets.filter((secret) => secret !== ''),
	};
}

/** @throws ServiceError when the service did not do what was asked, or may not have */
export async function sendRequest(
	request: ServiceRequest,
	credential: ServiceCredential,
	transport: Transport,
): Promise<Envelope> {
	const response = await fetchResponse(request, credential, transport);
	return parseResponse(response, toAsked(request, credential));
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

/** Before the reference (docs/interface.md, "Validate payment page reference"), with its misspelling. */
export const validateReferencePath = '/PaymentPages/ValidatePaymentPageLinkRefernce/';

/** Asks whether a page with this reference exists. */
export function validateReferenceRequest(
	reference: string,
	path = validateReferencePath,
): ServiceRequest {
	return { method: 'GET', path: `${path}${toPathSegment(reference)}` };
}

/** Whether the page exists: the service calls a reference valid when it does. */
export function pageExistsIn({ data }: Envelope): boolean {
	const isValid = isRecord(data) ? data.isValid : undefined;
	if (typeof isValid === 'boolean') return isValid;
	throw new ServiceError(
		'The service did not say whether the reference exists',
		"Check 'Base URL' in the credential. If it is right, contact the service's support.",
		{ kind: 'unreadable' },
	);
}
