import type { Sandbox } from '../../sandbox';
import type { N8nClient } from './client';
import type { CredentialContent, StoredCredential } from './types';

/** Both credentials for a sandbox, as a person would fill them in. */
export function sandboxCredentials(
	{ baseUrl, settings }: Sandbox,
	more: { webhookSecret?: string } = {},
): CredentialContent[] {
	const { merchantId, privateKey, apiKey } = settings;
	return [
		{
			name: 'Payment Pages sandbox: private key',
			type: 'paymentPagesPrivateKeyApi',
			data: { baseUrl, merchantId, privateKey },
		},
		{
			name: 'Payment Pages sandbox: API key',
			type: 'paymentPagesApiKeyApi',
			data: { baseUrl, merchantId, apiKey, ...more },
		},
	];
}

/** Stores both credentials for a sandbox in n8n, or brings those that are there up to date. */
export async function saveSandboxCredentials(
	client: N8nClient,
	sandbox: Sandbox,
	more: { webhookSecret?: string } = {},
): Promise<StoredCredential[]> {
	const stored: StoredCredential[] = [];
	for (const credential of sandboxCredentials(sandbox, more)) {
		stored.push(await client.saveCredential(credential));
	}
	return stored;
}
