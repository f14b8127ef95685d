import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	apiKeyCredential,
	privateKeyCredential,
	type CredentialName,
} from '../../shared/credential';
import { collectionOf, formOf, showFor } from '../fields/pageFields';
import {
	createOption,
	fixedAmountForm,
	ifReferenceExists,
	optionalFields,
	ownForms,
	simplify,
} from './create';
import { registerForms, registerOption } from './register';
import { updateFields, updateOption } from './update';
import { validateReferenceOption } from './validateReference';

type Conditions = NonNullable<IDisplayOptions['show']>;

const resource: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Payment Page', value: 'paymentPage' },
		{ name: 'Webhook', value: 'webhook' },
	],
	default: 'paymentPage',
};

function operationOf(options: INodePropertyOptions[], initial: string): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options,
		default: initial,
	};
}

/**
 * Tells n8n which credential a resource uses; nobody sees it.
 *
 * Of all forms this is the one with which the panel shows exactly one selector of the right type
 * (n8n facts, "The declarative engine"). The option "none" keeps the editor from taking this for the
 * node's main choice of authentication, which would offer both types for every operation.
 */
function authenticationBy(credential: CredentialName): INodeProperties {
	return {
		displayName: 'Authentication',
		name: 'authentication',
		type: 'hidden',
		options: [{ name: 'None', value: 'none' }],
		default: credential,
	};
}

const onPages: Conditions = { resource: ['paymentPage'] };
const onWebhooks: Conditions = { resource: ['webhook'] };
const onCreate: Conditions = { ...onPages, operation: ['create'] };
const onUpdate: Conditions = { ...onPages, operation: ['update'] };
const below: Conditions = { mappingMode: ['defineBelow'] };
const automatic: Conditions = { mappingMode: ['autoMapInputData'] };

/** How an item becomes the fields of a page, and what that trusts. */
const mapping: INodeProperties[] = [
	{
		displayName: 'Mapping Mode',
		name: 'mappingMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Map Each Field Below',
				value: 'defineBelow',
				description: 'Fill in the fields yourself, with fixed values or expressions',
			},
			{
				name: 'Map Automatically',
				value: 'autoMapInputData',
				description:
					'Send the columns that are named like the fields of the service, such as pageName and amount',
			},
		],
		default: 'defineBelow',
		description: 'Where the values of the page come from',
		displayOptions: { hide: { '@tool': [true] } },
	},
	// A tool of an agent has no choice: n8n mixes the item that the agent was given into the item of its
	// tool (n8n facts, "The declarative engine"), and its columns are not what the model chose to send.
	{
		displayName: 'Mapping Mode',
		name: 'mappingMode',
		type: 'hidden',
		default: 'defineBelow',
		displayOptions: { show: { '@tool': [true] } },
	},
	...showFor(automatic, [
		{
			displayName:
				'Columns that are named after the fields of the service are sent (pageName, amount, paymentPageLinkReference, …). This trusts your columns, so don\'t use it for what strangers send. <a href="https://payment-pages.example/n8n/blob/HEAD/docs/mapping.md">All names</a>',
			name: 'automaticMappingNotice',
			type: 'notice',
			default: '',
		},
	]),
];

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Max Parallel Requests',
			name: 'maxParallelRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
			default: 5,
			description:
				'How many requests run at the same time. Lower it if the service receives too many.',
		},
	],
};

/**
 * The form. n8n evaluates an expression twice for each property with the name of its parameter, shown
 * or not, so operations share the properties that can hold one.
 */
export const properties: INodeProperties[] = [
	resource,
	...showFor(onPages, [
		authenticationBy(privateKeyCredential),
		operationOf([createOption, updateOption, validateReferenceOption], 'create'),
	]),
	...showFor(onWebhooks, [
		authenticationBy(apiKeyCredential),
		operationOf([registerOption], 'register'),
		...registerForms,
	]),
	...showFor(onCreate, [...mapping, ...showFor(below, ownForms), fixedAmountForm]),
	...showFor(onUpdate, [formOf('id')]),
	...showFor(onPages, [formOf('paymentPageLinkReference')]),
	...showFor(onCreate, [
		ifReferenceExists,
		...showFor(below, [collectionOf('optionalFields', 'Optional Fields', optionalFields)]),
		simplify,
	]),
	...showFor(onUpdate, [
		...mapping,
		...showFor(below, [collectionOf('updateFields', 'Update Fields', updateFields)]),
	]),
	options,
];
