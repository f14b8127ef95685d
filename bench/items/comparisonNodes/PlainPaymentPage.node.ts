import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

/** A field that goes into the body of the request, the usual way of a declarative node. */
function field(displayName: string, name: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		routing: { send: { type: 'body', property: name } },
	};
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
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Create',
						value: 'create',
						action: 'Create a payment page',
						routing: { request: { method: 'POST', url: '/PaymentPages/Add' } },
					},
				],
				default: 'create',
			},
			field('Page Name', 'pageName'),
			field('Amount', 'amount'),
			field('Payment Page Link Reference', 'paymentPageLinkReference'),
			{
				displayName: 'Optional Fields',
				name: 'optionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				options: [
					field('Description', 'description'),
					field('Business Name', 'businessName'),
					field('Is Fixed Amount', 'isFixedAmount'),
					field('Is Phone Number Required', 'isPhoneNumberRequired'),
					field('Callback URL', 'callBackUrl'),
					field('Success Message', 'successMessage'),
					field('Notification Email', 'notificationEmail'),
					field('Is Test Mode', 'isTestMode'),
					field('Page Type', 'pageType'),
					field('Additional Fields', 'additionalFields'),
				],
			},
		],
	};
}
