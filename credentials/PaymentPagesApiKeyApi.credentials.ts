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
		{
			displayName:
				'n8n cannot test this key, because the service has no request for it. You see whether it is right when you publish a workflow with the Payment Page Trigger.',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		baseUrlProperty,
		merchantIdProperty,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Found at the service under Settings, API Keys. It is not the private key.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Recommended: leave it empty. Payment Page Trigger then uses a strong secret made from the API key. Otherwise, enter at least 8 characters. Webhook → Register needs one.',
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
