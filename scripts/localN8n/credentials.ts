import type { Sandbox } from '../../sandbox';
import type { N8nClient } from './client';
import type { CredentialContent } from './types';

type More = { webhookSecret?: string };

/** Both credentials for a sandbox, as a person would fill them in. */
export function sandboxCredentials({ baseUrl, settings }: Sandbox, more: More = {}) {
	const { merchantId, privateKey, apiKey } = settings;
	const name = 'Payment Pages sandbox';
	const pages = { baseUrl, merchantId, privateKey };
	const webhook = { baseUrl, merchantId, apiKey, ...more };
	return [
		{ name: `${name}: private key`, type: 'paymentPagesPrivateKeyApi', data: pages },
		{ name: `${name}: API key`, type: 'paymentPagesApiKeyApi', data: webhook },
	] satisfies [CredentialContent, CredentialContent];
}

/** Stores both credentials for a sandbox in n8n, or brings those that are there up to date. */
export async function saveSandboxCredentials(client: N8nClient, sandbox: Sandbox, more?: More) {
	const [pages, webhook] = sandboxCredentials(sandbox, more);
	// One after the other: n8n 1.x can't begin a transaction while there is another.
	return [await client.saveCredential(pages), await client.saveCredential(webhook)];
}
