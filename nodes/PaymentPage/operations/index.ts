import type { IHttpRequestMethods, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	apiKeyCredential,
	privateKeyCredential,
	type CredentialName,
} from '../../shared/credential';
import { registerWebhookPath, validateReferencePath } from '../../shared/service/request';
import { formOf, showFor } from '../fields/pageFields';
import { routingOf, type Operation } from '../run/runItem';
import { create, createForms, moreCreateForms } from './create';
import { register, registerForms } from './register';
import { update, updateForms } from './update';
import { validateReference } from './validateReference';

/** What n8n's engine needs of an operation: its request, and the function around it. */
function declare<Reading, Input>(
	operation: Operation<Reading, Input>,
	method: IHttpRequestMethods,
	url: string,
): Pick<INodePropertyOptions, 'routing'> {
	return { routing: { request: { method, url }, ...routingOf(operation) } };
}

const pageOperations: INodePropertyOptions[] = [
	{
		name: 'Create',
		value: 'create',
		action: 'Create payment page',
		description: 'Create a new payment page and get its link',
		...declare(create, 'POST', '/PaymentPages/Add'),
	},
	{
		name: 'Update',
		value: 'update',
		action: 'Update payment page',
		description: 'Change fields of an existing payment page',
		...declare(update, 'POST', '/PaymentPages/Update'),
	},
	{
		name: 'Validate Reference',
		value: 'validateReference',
		action: 'Check if payment page exists',
		description: 'Find out whether a payment page with this reference exists',
		...declare(validateReference, 'GET', validateReferencePath),
	},
];

const webhookOperations: INodePropertyOptions[] = [
	{
		name: 'Register',
		value: 'register',
		action: 'Register webhook',
		description: "Set the webhook URL that receives the merchant's events",
		...declare(register, 'POST', registerWebhookPath),
	},
];

function chooser(
	displayName: string,
	options: INodePropertyOptions[],
	initial: string,
): INodeProperties {
	const name = displayName.toLowerCase();
	return { displayName, name, type: 'options', noDataExpression: true, options, default: initial };
}

/**
 * Tells n8n which credential a resource uses; nobody sees it.
 *
 * Of all forms this is the one with which the panel shows exactly one selector of the right type
 * (n8n facts, "The declarative engine"). The option "none" keeps the editor from taking this for the
 * node's main choice of authentication, which would offer both types for every operation.
 */
function authenticationBy(credential: CredentialName): INodeProperties {
	const options = [{ name: 'None', value: 'none' }];
	const name = 'authentication';
	return { displayName: 'Authentication', name, type: 'hidden', options, default: credential };
}

const mappingMode: INodeProperties = {
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
};

const mapping: INodeProperties[] = [
	mappingMode,
	// A tool of an agent has no choice: n8n mixes the item that the agent was given into the item of its
	// tool (n8n facts, "The declarative engine"), and its columns are not what the model chose to send.
	{
		displayName: 'Mapping Mode',
		name: 'mappingMode',
		type: 'hidden',
		default: 'defineBelow',
		displayOptions: { show: { '@tool': [true] } },
	},
	{
		displayName:
			'Columns with the names of fields are sent: pageName, amount … (<a href="https://payment-pages.example/n8n/blob/HEAD/docs/mapping.md">all names</a>). This trusts your columns, so don\'t use it for what strangers send.',
		name: 'automaticMappingNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { mappingMode: ['autoMapInputData'] } },
	},
];

const maxParallelRequests: INodeProperties = {
	displayName: 'Max Parallel Requests',
	name: 'maxParallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: 5,
	description: 'How many requests run at the same time. Lower it if the service receives too many.',
};

const resources = [
	{ name: 'Payment Page', value: 'paymentPage' },
	{ name: 'Webhook', value: 'webhook' },
];

const onPages = { resource: ['paymentPage'] };
const onCreate = { ...onPages, operation: ['create'] };
const onUpdate = { ...onPages, operation: ['update'] };

/**
 * The form. n8n evaluates an expression twice for each property with the name of its parameter, shown
 * or not, so operations share the properties that can hold one.
 */
export const properties: INodeProperties[] = [
	chooser('Resource', resources, 'paymentPage'),
	...showFor(onPages, [
		authenticationBy(privateKeyCredential),
		chooser('Operation', pageOperations, 'create'),
	]),
	...showFor({ resource: ['webhook'] }, [
		authenticationBy(apiKeyCredential),
		chooser('Operation', webhookOperations, 'register'),
		...registerForms,
	]),
	...showFor(onCreate, [...mapping, ...createForms]),
	...showFor(onUpdate, [formOf('id')]),
	...showFor(onPages, [formOf('paymentPageLinkReference')]),
	...showFor(onCreate, moreCreateForms),
	...showFor(onUpdate, [...mapping, ...updateForms]),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [maxParallelRequests],
	},
];
