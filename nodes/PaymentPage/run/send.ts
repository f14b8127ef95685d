import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credential';
import type { Envelope, ServiceRequest } from '../../shared/service/api';
import { sendRequest, toServiceResponse } from '../../shared/service/request';
import type { RequestContext } from './operation';

/**
 * A credential that is restricted to some domains reaches, in the node it belongs to, the host that it
 * names itself. n8n sees to that for a base URL in the description of a node.
 */
function ownHostAllowed(
	{ allowedDomains }: Pick<IHttpRequestOptions, 'allowedDomains'>,
	{ baseUrl }: ServiceCredential,
): Pick<IHttpRequestOptions, 'allowedDomains'> {
	const { hostname } = new URL(baseUrl);
	// A comma in it would read as two domains.
	if (allowedDomains === undefined || hostname.includes(',')) return {};
	return { allowedDomains: `${hostname},${allowedDomains}` };
}

/**
 * Sends one request with the credential of the node, as n8n's engine would. The engine's own
 * `makeRoutingRequest` would read the credential a second time, and drop the status of the response.
 * What the user sets (timeout, proxy) is in the request data.
 *
 * @throws ServiceError
 */
export async function send(
	{ node, requestData, operation, credential, credentialData }: RequestContext,
	request: ServiceRequest,
): Promise<Envelope> {
	const declared = requestData.options;
	return await sendRequest(request, credential, async (made) => {
		const options: IHttpRequestOptions = {
			...declared,
			...made,
			...ownHostAllowed(declared, credential),
			// The credential and the request options of the node can each switch it on.
			skipSslCertificateValidation: [declared, made].some(
				(part) => part.skipSslCertificateValidation === true,
			),
		};
		// n8n adds an empty one to every request.
		if (request.body === undefined) delete options.body;
		const type = operation.credential;
		const response: unknown = await node.helpers.httpRequestWithAuthentication.call(
			node,
			type,
			options,
			// Of this, n8n looks at the data alone.
			{ credentialsDecrypted: { id: '', name: '', type, data: credentialData } },
		);
		return toServiceResponse(response);
	});
}
