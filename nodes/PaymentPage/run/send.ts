import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credential';
import { readAnswerTo, toAnswer, toHttpOptions } from '../../shared/httpRequest';
import { networkError } from '../../shared/networkError';
import type { Answer, Envelope, ServiceRequest } from '../../shared/service';
import type { Outcome } from '../../shared/serviceError';

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

/** Makes one call through n8n's engine, with the credential of the node. */
export async function send(
	context: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	request: ServiceRequest,
	credential: ServiceCredential,
): Promise<Outcome<Envelope>> {
	const options = { ...requestData.options, ...toHttpOptions(request, credential) };
	if (request.body === undefined) delete options.body;
	let items: INodeExecutionData[];
	try {
		items = await context.makeRoutingRequest({ ...requestData, options });
	} catch (error) {
		return networkError(error);
	}
	return readAnswerTo(request, credential, items[0]?.json as unknown as Answer);
}
