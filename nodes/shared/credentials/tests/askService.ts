import { randomUUID } from 'crypto';
import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import type { ServiceCredential } from '../credential';
import { toAnswer } from '../../service/httpRequest';
import { InvalidFieldError } from '../../fields/invalidFieldError';
import { networkError } from '../../service/networkError';
import { proxyErrorOf } from '../../service/proxy';
import type { Answer } from '../../service/api';
import { ServiceError, type Outcome } from '../../service/serviceError';
import { validationRequest } from '../../service/validateReference';

/** Milliseconds; a person is waiting in front of the credential. */
const timeout = 20_000;

/** Asks Validate Reference, which changes nothing, for a reference that no page can have. */
export async function askForUnknownReference(
	context: ICredentialTestFunctions,
	{ baseUrl, key, allowUnauthorizedCerts }: ServiceCredential,
): Promise<Outcome<Answer>> {
	const { path } = validationRequest(`n8n-credential-test-${randomUUID()}`);
	let response: unknown;
	try {
		response = await context.helpers.request({
			method: 'GET',
			uri: `${baseUrl}${path}`,
			headers: { Accept: 'application/json', Authorization: `Bearer ${key}` },
			json: false,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout,
			...(allowUnauthorizedCerts ? { rejectUnauthorized: false } : {}),
		});
	} catch (error) {
		return networkError(error, baseUrl);
	}
	const answer = toAnswer(response);
	return proxyErrorOf(answer) ?? answer;
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
