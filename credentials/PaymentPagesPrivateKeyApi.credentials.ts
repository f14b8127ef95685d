import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import {
	allowUnauthorizedCertsProperty,
	authorize,
	baseUrlProperty,
	merchantIdProperty,
	privateKeyCredential,
} from '../nodes/shared/credential';

/** The merchant's private key, for payment pages (docs/interface.md, "Authentication"). */
export class PaymentPagesPrivateKeyApi implements ICredentialType {
	name = privateKeyCredential;

	displayName = 'Payment Pages Private Key API';

	icon: Icon = {
		light: 'file:../icons/paymentPage.svg',
		dark: 'file:../icons/paymentPage.dark.svg',
	};

	documentationUrl = 'https://payment-pages.example/n8n#credentials';

	properties: INodeProperties[] = [
		baseUrlProperty,
		merchantIdProperty,
		{
			displayName: 'Private Key',
			name: 'privateKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Shown with your merchant at the service. It is not the API key.',
		},
		allowUnauthorizedCertsProperty,
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authorize(privateKeyCredential, credentials, request);
	}
}
