import type { INodeProperties } from 'n8n-workflow';

import type { PageField } from './pageFields';

/** How each field of a page looks in the panel; create and update choose from these. */
export const fieldProperties: Record<PageField, INodeProperties> = {
	additionalFields: {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'json',
		default: '[]',
		description:
			'More fields of the page, as a JSON list or object. The service does not document which. They are sent as text.',
	},
	amount: {
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 49.90',
		description:
			'Amount to pay, such as 49.90. Text such as 1.000 is rejected as ambiguous. Leave it empty to send no amount.',
	},
	businessName: {
		displayName: 'Business Name',
		name: 'businessName',
		type: 'string',
		default: '',
		description: 'Name of the business that the payer sees',
	},
	callBackUrl: {
		displayName: 'Callback URL',
		name: 'callBackUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.shop.example/paid',
		description:
			'URL that the service calls when this page is paid. To continue at a Wait node, enter {{ $execution.resumeUrl }} and create only one page per execution.',
	},
	description: {
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		description: 'What the payment is for, shown on the page',
	},
	id: {
		displayName: 'Page ID',
		name: 'id',
		type: 'string',
		default: '',
		placeholder: 'e.g. 4711',
		description:
			'Number of the page, from the output of Create. Enter the reference too if you have it, because the service does not document which of the two selects the page.',
	},
	isDeleted: {
		displayName: 'Is Deleted',
		name: 'isDeleted',
		type: 'boolean',
		default: false,
		description:
			'Whether the page is deleted. The service does not document what a deleted page can still do. Automatic mapping never deletes a page.',
	},
	isFixedAmount: {
		displayName: 'Is Fixed Amount',
		name: 'isFixedAmount',
		type: 'boolean',
		default: true,
		description: 'Whether the payer has to pay exactly the amount',
	},
	isPhoneNumberRequired: {
		displayName: 'Is Phone Number Required',
		name: 'isPhoneNumberRequired',
		type: 'boolean',
		default: false,
		description: 'Whether the payer has to give a phone number',
	},
	isTestMode: {
		displayName: 'Is Test Mode',
		name: 'isTestMode',
		type: 'boolean',
		default: false,
		description: 'Whether the page is in test mode',
	},
	merchantId: {
		displayName: 'Merchant ID',
		name: 'merchantId',
		type: 'string',
		default: '',
		description:
			'Merchant that the page belongs to, digits only. Leave it empty to use the merchant of the credential.',
	},
	notificationEmail: {
		displayName: 'Notification Email',
		name: 'notificationEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. name@email.com',
		description: 'Email address that is notified of payments',
	},
	pageName: {
		displayName: 'Page Name',
		name: 'pageName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Invoice 2026-0142',
		description: 'Name of the page that the payer sees',
	},
	pageType: {
		displayName: 'Page Type',
		name: 'pageType',
		type: 'string',
		default: '',
		description: 'Type of the page. The service does not document the allowed values.',
	},
	paymentPageLink: {
		displayName: 'Payment Page Link',
		name: 'paymentPageLink',
		type: 'string',
		default: '',
		description:
			'Full link to the page. The service may make its own, so use the link in the output of Create.',
	},
	paymentPageLinkReference: {
		displayName: 'Payment Page Link Reference',
		name: 'paymentPageLinkReference',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice-2026-0142',
		// One text for Create and Update, so that both have one property (see joinOperations).
		description:
			"Last part of the link of the page, unique for the merchant. If it is empty, Create derives it from 'Page Name'. For Update, enter 'Page ID' too if you have it.",
	},
	successMessage: {
		displayName: 'Success Message',
		name: 'successMessage',
		type: 'string',
		default: '',
		description: 'What the payer reads after a successful payment',
	},
};

/** A field by the label in the panel and by its name, which a column for automatic mapping bears. */
export function fieldLabel(field: PageField): string {
	return `${fieldProperties[field].displayName} (${field})`;
}

/** The collection that offers every field that has no parameter of its own, in order of its label. */
export function fieldCollection(
	name: string,
	displayName: string,
	fields: readonly PageField[],
	above: readonly PageField[],
): INodeProperties {
	const options = fields
		.filter((field) => !above.includes(field))
		.map((field) => fieldProperties[field])
		// Not `localeCompare`: its first use costs some 10 ms, and this runs while n8n loads the node.
		.sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
	return { displayName, name, type: 'collection', placeholder: 'Add Field', default: {}, options };
}
