import { randomUUID } from 'crypto';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	apiKeyCredential,
	privateKeyCredential,
	readCredential,
	type ServiceCredential,
} from './credential';
import { InvalidFieldError, ServiceError } from './errors';
import type { ServiceResponse } from './service/failures';
import {
	fetchResponse,
	toAsked,
	toServiceResponse,
	validateReferenceRequest,
	type ServiceRequest,
} from './service/request';
import { looksLikeWebPage, parseObject, parseResponse } from './service/response';

/** Asks Validate Reference, which changes nothing, for a reference that no page can have. */
async function askForUnknownReference(
	context: ICredentialTestFunctions,
	credential: ServiceCredential,
): Promise<{ request: ServiceRequest; response: ServiceResponse }> {
	const request = validateReferenceRequest(`n8n-credential-test-${randomUUID()}`);
	const response = await fetchResponse(request, credential, async (options) =>
		// A test has n8n's older HTTP client alone (fact 50).
		toServiceResponse(
			await context.helpers.request({
				method: options.method,
				uri: `${credential.baseUrl}${options.url}`,
				headers: { ...options.headers, Authorization: `Bearer ${credential.key}` },
				json: false,
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
				timeout: 20_000, // milliseconds; a person is waiting
				...(credential.allowUnauthorizedCerts ? { rejectUnauthorized: false } : {}),
			}),
		),
	);
	return { request, response };
}

/** Runs a test; why it fails becomes the sentence that n8n shows in red. */
async function toTestResult(
	context: ICredentialTestFunctions,
	test: () => Promise<string>,
): Promise<INodeCredentialTestResult> {
	try {
		return { status: 'OK', message: await test() };
	} catch (error) {
		if (error instanceof ServiceError || error instanceof InvalidFieldError) {
			return { status: 'Error', message: `${error.message}. ${error.advice}` };
		}
		context.logger.error('Payment Pages: the credential test stopped unexpectedly', { error });
		return { status: 'Error', message: "The test stopped unexpectedly; see n8n's log." };
	}
}

/** The only call that takes the API key registers a webhook, so it tests the fields and the address. */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(this, async () => {
		const credential = readCredential(apiKeyCredential, data);
		const { request, response } = await askForUnknownReference(this, credential);
		// An API guards its door where a wrong address has a web page or nothing.
		const isGuarded = [401, 403].includes(response.statusCode) && !looksLikeWebPage(response);
		if (!isGuarded) parseObject(response, toAsked(request, credential));
		return 'An API responds at the Base URL. The API key was not checked.';
	});
}

/** Green only when the service carries out a call with this key: HTTP 2xx and the code "00". */
export async function testPrivateKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(this, async () => {
		const credential = readCredential(privateKeyCredential, data);
		const { request, response } = await askForUnknownReference(this, credential);
		parseResponse(response, toAsked(request, credential));
		return 'The service accepts the private key. The merchant ID was not checked.';
	});
}
