import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { apiKeyCredential, privateKeyCredential } from '../shared/credential';
import { testApiKey, testPrivateKey } from '../shared/credentialTests';
import { properties } from './operations';

/** Creates, updates and looks for hosted payment pages, and registers the webhook of a merchant. */
export class PaymentPage implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payment Page',
		name: 'paymentPage',
		icon: {
			light: 'file:../../icons/paymentPage.svg',
			dark: 'file:../../icons/paymentPage.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle:
			'={{ { create: "Create Page", update: "Update Page", validateReference: "Validate Reference", register: "Register Webhook" }[$parameter.operation] }}',
		description: 'Create payment pages (payment links) and keep them up to date',
		defaults: { name: 'Payment Page' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: privateKeyCredential,
				required: true,
				testedBy: 'testPrivateKey',
				displayOptions: { show: { authentication: ['paymentPagesPrivateKeyApi'] } },
			},
			{
				name: apiKeyCredential,
				required: true,
				testedBy: 'testApiKey',
				displayOptions: { show: { authentication: ['paymentPagesApiKeyApi'] } },
			},
		],
		// Neither the base URL nor the headers: n8n evaluates them for every item (0.2 to 0.7 ms).
		requestDefaults: {},
		properties,
	};

	methods = { credentialTest: { testPrivateKey, testApiKey } };
}
