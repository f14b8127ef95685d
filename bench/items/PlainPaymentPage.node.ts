import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

/** Fields that go into the body of the request, the usual way of a declarative node. */
function fields(...names: string[]): INodeProperties[] {
	return names.map((name) => ({
		displayName: name,
		name,
		type: 'string',
		default: '',
		routing: { send: { type: 'body', property: name } },
	}));
}

/**
 * The node that one would write first: create alone, each field sent by n8n itself. It is what the
 * package's node is compared with, in benchmarks alone.
 */
export class PlainPaymentPage implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Plain Payment Page',
		name: 'plainPaymentPage',
		group: ['output'],
		version: 1,
		description: 'Create payment pages',
		defaults: { name: 'Plain Payment Page' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'paymentPagesPrivateKeyApi', required: true }],
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl }}',
			method: 'POST',
			url: '/PaymentPages/Add',
		},
		properties: [
			...fields('pageName', 'amount', 'paymentPageLinkReference', 'isFixedAmount'),
			{
				displayName: 'Optional Fields',
				name: 'optionalFields',
				type: 'collection',
				default: {},
				options: [
					...fields('description', 'businessName', 'isPhoneNumberRequired', 'callBackUrl'),
					...fields('successMessage', 'notificationEmail', 'isTestMode', 'pageType'),
					...fields('additionalFields'),
				],
			},
		],
	};
}
