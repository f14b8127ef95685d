import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import {
	allowUnauthorizedCertsProperty,
	apiKeyCredential,
	authorize,
	baseUrlProperty,
	merchantIdProperty,
} from '../nodes/shared/credential';

/** The merchant's API key, for webhook registration (docs/interface.md, "Authentication"). */
export class PaymentPagesApiKeyApi implements ICredentialType {
	name = apiKeyCredential;

	displayName = 'Payment Pages API Key API';

	icon: Icon = {
		light: 'file:../icons/paymentPage.svg',
		dark: 'file:../icons/paymentPage.dark.svg',
	};

	documentationUrl = 'https://payment-pages.example/n8n#credentials';

	properties: INodeProperties[] = [
		baseUrlProperty,
		merchantIdProperty,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'The API key of the merchant, found at the service under Settings, API Keys. It is not the private key.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Secret that the service uses to secure its events, at least 8 characters. Recommended: leave it empty, and the Payment Page Trigger derives a strong one from the API key.',
		},
		allowUnauthorizedCertsProperty,
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authorize(apiKeyCredential, credentials, request);
	}
}
