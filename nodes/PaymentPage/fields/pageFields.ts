import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { toAmount } from '../../shared/amount';
import type { BodyValue, RequestBody } from '../../shared/exactJson';
import * as convert from '../../shared/values';

const converters = {
	text: convert.toText,
	trimmedText: convert.toTrimmedText,
	webAddress: convert.toWebAddress,
	wholeNumber: convert.toWholeNumber,
	switch: convert.toBoolean,
	amount: toAmount,
	freeText: convert.toFreeText,
} satisfies Record<string, (field: string, value: unknown) => BodyValue>;

interface FieldRow {
	kind: keyof typeof converters;
	label: string;
	description: string;
	/** Which column automatic mapping takes; unless told, one that differs in case and separators alone. */
	column?: 'exact' | 'never'; // 'exact' where CRMs have a column like it for something else
	placeholder?: string;
	rows?: number; // lines of the input
	only?: 'create' | 'update'; // the one operation whose request can carry it
}

/**
 * The fields of a payment page (docs/interface.md, "Payment page"), but for the credential's
 * `merchantId`. Forms, types, requests and automatic mapping follow from this table.
 */
const fieldRows = {
	id: {
		kind: 'wholeNumber',
		label: 'Page ID',
		description: "From the output of Create. Enter 'Reference' too if you have it.",
		column: 'never',
		placeholder: 'e.g. 4711',
		only: 'update',
	},
	pageName: {
		kind: 'text',
		label: 'Page Name',
		description: 'Name of the page that the payer sees',
		placeholder: 'e.g. Invoice 2026-0142',
	},
	amount: {
		kind: 'amount',
		label: 'Amount',
		description:
			'Amount to pay. The service does not document the currency, and a page has no field for it: look at a test page first.',
		placeholder: 'e.g. 49.90',
	},
	isFixedAmount: {
		kind: 'switch',
		label: 'Fixed Amount',
		description: 'Whether the payer has to pay exactly the amount. Off lets the payer change it.',
	},
	paymentPageLinkReference: {
		kind: 'trimmedText',
		label: 'Reference',
		description: "Such as the invoice number. If empty, Create makes it from 'Page Name'.",
		placeholder: 'e.g. invoice-2026-0142',
	},
	additionalFields: {
		kind: 'freeText',
		label: 'Additional Fields',
		description: 'Text or JSON, sent as a string',
		column: 'exact',
		rows: 2,
	},
	businessName: {
		kind: 'text',
		label: 'Business Name',
		description: 'Name of the business that the payer sees',
		column: 'exact',
	},
	callBackUrl: {
		kind: 'webAddress',
		label: 'Callback URL',
		description:
			'URL that the service calls when this page is paid. To continue at a Wait node, enter {{ $execution.resumeUrl }} and create only one page per execution.',
		placeholder: 'e.g. https://www.shop.example/paid',
	},
	description: {
		kind: 'text',
		label: 'Description',
		description: 'What the payment is for, shown on the page',
		column: 'exact',
		rows: 2,
	},
	isDeleted: {
		kind: 'switch',
		label: 'Deleted',
		description: 'Whether the page is deleted. Try out first what your service does then.',
		column: 'never',
		only: 'update',
	},
	isPhoneNumberRequired: {
		kind: 'switch',
		label: 'Require Phone Number',
		description: 'Whether the payer has to give a phone number',
	},
	isTestMode: {
		kind: 'switch',
		label: 'Test Mode',
		description: 'Whether the page is in test mode, to try it without real money',
	},
	notificationEmail: {
		kind: 'trimmedText',
		label: 'Notification Email',
		description: 'Email address that the service notifies of payments',
		placeholder: 'e.g. name@email.com',
	},
	pageType: {
		kind: 'text',
		label: 'Page Type',
		description: 'Type of the page. The service does not document the allowed values.',
		column: 'exact',
		only: 'create',
	},
	paymentPageLink: {
		kind: 'trimmedText',
		label: 'Payment Page Link',
		description: 'The service may make its own, so use the link in the output of Create.',
		column: 'never',
	},
	successMessage: {
		kind: 'text',
		label: 'Success Message',
		description: 'What the payer reads after a successful payment',
	},
} as const satisfies Record<string, FieldRow>;

export type PageField = keyof typeof fieldRows;

export type PageValues = Partial<Record<PageField, unknown>>;

export const pageFields: Record<PageField, FieldRow> = fieldRows;

/** The fields that a request of an operation can carry. */
export function fieldsOf(operation: 'create' | 'update'): PageField[] {
	const fields = Object.keys(pageFields) as PageField[];
	return fields.filter((field) => (pageFields[field].only ?? operation) === operation);
}

/** A field as errors name it: with automatic mapping, its name tells which column is meant. */
export function labelOf(field: PageField, isAutomatic = false): string {
	return `'${pageFields[field].label}'${isAutomatic ? ` (${field})` : ''}`;
}

/**
 * The body of a request: blanks are left out, all else gets the type that the interface asks for.
 *
 * @throws InvalidFieldError for the first field whose value can't be right
 */
export function toPageBody(
	fields: readonly PageField[],
	values: PageValues,
	isAutomatic = false,
): RequestBody {
	const body: RequestBody = {};
	for (const field of fields) {
		if (convert.isBlank(values[field])) continue;
		const toValue = converters[pageFields[field].kind];
		body[field] = toValue(labelOf(field, isAutomatic), values[field]);
	}
	return body;
}

export function formOf(field: PageField, change: Partial<INodeProperties> = {}): INodeProperties {
	const { kind, label, description, placeholder, rows } = pageFields[field];
	const isSwitch = kind === 'switch';
	return {
		displayName: label,
		name: field,
		type: isSwitch ? 'boolean' : 'string',
		default: isSwitch ? field === 'isFixedAmount' : '',
		...(placeholder === undefined ? {} : { placeholder }),
		...(rows === undefined ? {} : { typeOptions: { rows } }),
		description,
		...change,
	};
}

/** A collection of the fields that have no place of their own in the form, in order of their labels. */
export function collectionOf(
	name: string,
	displayName: string,
	fields: readonly PageField[],
): INodeProperties {
	// Not `localeCompare`: its first use costs some 10 ms, and this runs while n8n loads the node.
	const sorted = [...fields].sort((one, other) => (labelOf(one) < labelOf(other) ? -1 : 1));
	const options = sorted.map((field) => formOf(field));
	return { displayName, name, type: 'collection', placeholder: 'Add Field', default: {}, options };
}

/** Properties that are shown only where the given parameters have one of the given values. */
export function showFor(
	show: NonNullable<IDisplayOptions['show']>,
	properties: INodeProperties[],
): INodeProperties[] {
	return properties.map(({ displayOptions, ...property }) => ({
		...property,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...show } },
	}));
}
