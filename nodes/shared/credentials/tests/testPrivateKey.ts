import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { privateKeyCredential, readCredential } from '../credential';
import { parseResponse } from '../../service/parseResponse';
import { askForUnknownReference, toTestResult } from './askService';

/** Green only when the service carries out a call with this key: HTTP 2xx and the code "00". */
export async function testPrivateKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(this, async () => {
		const credential = readCredential(privateKeyCredential, data);
		parseResponse(await askForUnknownReference(this, credential), [credential.key]);
		return 'The service accepts the private key. Whether the merchant ID is right shows only when you create a page.';
	});
}
