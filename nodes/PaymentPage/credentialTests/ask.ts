import { randomUUID } from 'crypto';
import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credential';
import { InvalidFieldError } from '../../shared/invalidFieldError';
import { networkError } from '../../shared/networkError';
import { isRecord } from '../../shared/service';
import type { Answer } from '../../shared/service';
import { ServiceError } from '../../shared/serviceError';
import type { Outcome } from '../../shared/serviceError';
import { validationRequest } from '../resources/paymentPage/pageExists';

/** Milliseconds; a person is waiting in front of the credential. */
const timeout = 20_000;

/** Asks Validate Reference, which changes nothing, for a reference that no page can have. */
export async function askForUnknownReference(
	context: ICredentialTestFunctions,
	{ baseUrl, key }: ServiceCredential,
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
		});
	} catch (error) {
		return networkError(error);
	}
	const { statusCode, body, headers } = isRecord(response) ? response : {};
	return {
		statusCode: Number(statusCode),
		text: typeof body === 'string' ? body : '',
		headers: isRecord(headers)
			? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
			: {},
	};
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
		context.logger.error('Payment Pages: the credential test broke off', { error });
		return { status: 'Error', message: 'The test broke off; the log of n8n says why.' };
	}
}
