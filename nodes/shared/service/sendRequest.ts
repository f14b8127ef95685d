import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from '../credentials/credential';
import { isRecord } from '../fields/isRecord';
import type { Envelope, ServiceRequest, ServiceResponse } from './api';
import { errorChain } from './errorChain';
import { toHttpOptions, toServiceResponse } from './httpRequest';
import { networkError } from './networkError';
import { parseResponse } from './parseResponse';

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
