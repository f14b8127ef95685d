import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { ExactNumber } from '../fields/exactJson';
import { toWholeNumber } from '../fields/wholeNumber';
import { cleanBaseUrl, cleanKey, cleanWebhookSecret } from './credentialFields';

/** The key of page operations (docs/interface.md, "Authentication"). */
export const privateKeyCredential = 'paymentPagesPrivateKeyApi';

/** The key of webhook registration (docs/interface.md, "Authentication"). */
export const apiKeyCredential = 'paymentPagesApiKeyApi';

export type CredentialName = typeof privateKeyCredential | typeof apiKeyCredential;

/** A credential's fields, cleaned of what pasting leaves around them. */
export interface ServiceCredential {
	baseUrl: string;
	key: string;
	merchantId: ExactNumber;
	/** '' when the user gave none, and always for the private key. */
	webhookSecret: string;
	/** Whether the service may show any certificate. */
	allowUnauthorizedCerts: boolean;
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
		// What stands there by mistake may be a key.
		merchantId: toWholeNumber('Merchant ID', data.merchantId, false),
		webhookSecret: cleanWebhookSecret(data.webhookSecret),
		// Nothing but a plain true: this switch makes requests less safe.
		allowUnauthorizedCerts: data.allowUnauthorizedCerts === true,
	};
}
