import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { trimmed } from './blanks';
import { cleanBaseUrl, cleanKey } from './credentialFields';
import type { ExactNumber } from './exactJson';
import { toWholeNumber } from './wholeNumber';

/** The key of page operations (interface, "Authentication"). */
export const privateKeyCredential = 'paymentPagesPrivateKeyApi';

/** The key of webhook registration (interface, "Authentication"). */
export const apiKeyCredential = 'paymentPagesApiKeyApi';

export type CredentialName = typeof privateKeyCredential | typeof apiKeyCredential;

/** A credential's fields, cleaned of what pasting leaves around them. */
export interface ServiceCredential {
	baseUrl: string;
	key: string;
	merchantId: ExactNumber;
	/** '' when the user gave none, and always for the private key. */
	webhookSecret: string;
}

export function cleanCredentialKey(
	name: CredentialName,
	data: ICredentialDataDecryptedObject,
): string {
	return name === privateKeyCredential
		? cleanKey('Private Key', data.privateKey)
		: cleanKey('API Key', data.apiKey);
}

/**
 * Reads a credential as n8n hands it over.
 *
 * @throws InvalidFieldError naming the field that cannot be right
 */
export function readCredential(
	name: CredentialName,
	data: ICredentialDataDecryptedObject,
): ServiceCredential {
	return {
		baseUrl: cleanBaseUrl(data.baseUrl),
		key: cleanCredentialKey(name, data),
		merchantId: toWholeNumber('Merchant ID', data.merchantId),
		webhookSecret: typeof data.webhookSecret === 'string' ? trimmed(data.webhookSecret) : '',
	};
}
