import { randomUUID } from 'crypto';
import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { InvalidFieldError } from '../../fields/invalidFieldError';
import type { ServiceResponse } from '../../service/api';
import { toServiceResponse } from '../../service/httpRequest';
import { proxyErrorOf } from '../../service/proxy';
import { fetchResponse } from '../../service/sendRequest';
import { ServiceError } from '../../service/serviceError';
import { validateReferenceRequest } from '../../service/validateReference';
import type { ServiceCredential } from '../credential';

/** Milliseconds; a person is waiting in front of the credential. */
const timeout = 20_000;

/**
 * Asks Validate Reference, which changes nothing, for a reference that no page can have.
 *
 * @throws ServiceError when no response of the service arrives
 */
export async function askForUnknownReference(
	context: ICredentialTestFunctions,
	credential: ServiceCredential,
): Promise<ServiceResponse> {
	const request = validateReferenceRequest(`n8n-credential-test-${randomUUID()}`);
	const response = await fetchResponse(request, credential, async (options) =>
		// A test has n8n's older HTTP client alone.
		toServiceResponse(
			await context.helpers.request({
				method: options.method,
				uri: `${credential.baseUrl}${options.url}`,
				headers: { ...options.headers, Authorization: `Bearer ${credential.key}` },
				json: false,
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
				timeout,
				...(credential.allowUnauthorizedCerts ? { rejectUnauthorized: false } : {}),
			}),
		),
	);
	const proxyError = proxyErrorOf(response);
	if (proxyError !== undefined) throw proxyError;
	return response;
}

/** Runs a test; why it fails becomes the sentence that n8n shows in red. */
export async function toTestResult(
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
