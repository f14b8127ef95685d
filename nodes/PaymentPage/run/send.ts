import type {
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credentials/credential';
import type { Envelope, ServiceRequest, ServiceResponse } from '../../shared/service/api';
import { toServiceResponse } from '../../shared/service/httpRequest';
import { sendRequest } from '../../shared/service/sendRequest';
import type { RequestContext } from './operation';

/**
 * Hands the raw response through n8n's engine, which would otherwise drop the status and read the
 * body by rules of its own.
 */
export async function keepResponse(
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	return [{ json: { ...toServiceResponse(response) } satisfies IDataObject }];
}

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
 * Sends one request through n8n's engine, with the credential of the node. What the user sets (timeout,
 * proxy) is in the request data.
 *
 * @throws ServiceError
 */
export async function send(
	{ node, requestData, credential }: RequestContext,
	request: ServiceRequest,
): Promise<Envelope> {
	const declared = requestData.options;
	return await sendRequest(request, credential, async (made) => {
		const options = {
			...declared,
			...made,
			...ownHostAllowed(declared, credential),
		};
		// n8n adds an empty one to every request.
		if (request.body === undefined) delete options.body;
		const [item] = await node.makeRoutingRequest({ ...requestData, options });
		return item?.json as unknown as ServiceResponse;
	});
}
