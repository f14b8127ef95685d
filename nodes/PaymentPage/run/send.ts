import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credential';
import { stringifyExactJson } from '../../shared/exactJson';
import { networkError } from '../../shared/networkError';
import { readAnswer } from '../../shared/readAnswer';
import type { Answer, Envelope, ServiceRequest } from '../../shared/service';
import type { Outcome } from '../../shared/serviceError';
import { hideSecrets } from '../../shared/serviceText';

function toHeaderText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/**
 * Hands the raw answer through n8n's engine, which would otherwise drop the status and read the
 * body by rules of its own.
 */
export async function keepAnswer(
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	const { statusCode, body } = response;
	const headers = Object.fromEntries(
		Object.entries(response.headers).map(([name, value]) => [
			name.toLowerCase(),
			toHeaderText(value),
		]),
	);
	return [{ json: { statusCode, headers, text: typeof body === 'string' ? body : '' } }];
}

function toHttpOptions(
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
		// The raw text of every answer, whatever its status, so that one place judges all of them.
		encoding: 'text',
		json: false,
		ignoreHttpStatusErrors: true,
		// A followed redirect could hand the key to another host, and turns a POST into a GET.
		disableFollowRedirect: true,
	};
}

/** What must not be shown if the service echoes it. */
function secretsOf(request: ServiceRequest, credential: ServiceCredential): string[] {
	const { secret } = request.body ?? {};
	return [
		credential.key,
		credential.webhookSecret,
		...(typeof secret === 'string' ? [secret] : []),
	];
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
	const answer = items[0]?.json as unknown as Answer;
	return readAnswer({ ...answer, text: hideSecrets(answer.text, secretsOf(request, credential)) });
}
