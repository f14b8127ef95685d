import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import type { ServiceResponse } from '../../service/api';
import { looksLikeWebPage, parseObject } from '../../service/parseResponse';
import { apiKeyCredential, readCredential } from '../credential';
import { askForUnknownReference, toTestResult } from './askService';

/** An API guards its door, with or without words, where a wrong address has a web page or nothing. */
function rejectsKey(response: ServiceResponse): boolean {
	const { statusCode } = response;
	return (statusCode === 401 || statusCode === 403) && !looksLikeWebPage(response);
}

/**
 * The only call that takes the API key registers a webhook, so the key itself is not tested. What
 * is: the fields, and that an API answers at the base URL.
 */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(this, async () => {
		const credential = readCredential(apiKeyCredential, data);
		const response = await askForUnknownReference(this, credential);
		if (!rejectsKey(response)) parseObject(response, [credential.key]);
		return 'The fields are complete, and an API responds at the Base URL. The API key and the merchant ID were not checked, because the only request that uses this key would register a webhook. Nothing was registered.';
	});
}
