import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credentials/credential';
import {
	readAnswerTo,
	readErrorOf,
	toAnswer,
	toHttpOptions,
} from '../../shared/service/httpRequest';
import type { Answer, Envelope, ServiceRequest } from '../../shared/service/api';
import type { Outcome } from '../../shared/service/serviceError';

/**
 * Hands the raw answer through n8n's engine, which would otherwise drop the status and read the
 * body by rules of its own.
 */
export async function keepAnswer(
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	return [{ json: { ...toAnswer(response) } satisfies IDataObject }];
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

/** Makes one call through n8n's engine, with the credential of the node. */
export async function send(
	context: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	request: ServiceRequest,
	credential: ServiceCredential,
): Promise<Outcome<Envelope>> {
	const options = {
		...requestData.options,
		...toHttpOptions(request, credential),
		...ownHostAllowed(requestData.options, credential),
	};
	if (request.body === undefined) delete options.body;
	let items: INodeExecutionData[];
	try {
		items = await context.makeRoutingRequest({ ...requestData, options });
	} catch (error) {
		return readErrorOf(request, credential, error);
	}
	return readAnswerTo(request, credential, items[0]?.json as unknown as Answer);
}
