import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	apiKeyCredential,
	privateKeyCredential,
	type CredentialName,
} from '../../shared/credential';
import { registerWebhookPath, validateReferencePath } from '../../shared/service/request';
import { formOf, showFor } from '../fields/pageFields';
import { routingOf } from '../run/runItem';
import { create, createForms, moreCreateForms } from './create';
import { register, registerForms } from './register';
import { update, updateForms } from './update';
import { validateReference } from './validateReference';

const pageOperations: INodePropertyOptions[] = [
	{
		name: 'Create',
		value: 'create',
		action: 'Create payment page',
		description: 'Create a new payment page and get its link',
		routing: routingOf(create, 'POST', '/PaymentPages/Add'),
	},
	{
		name: 'Update',
		value: 'update',
		action: 'Update payment page',
		description: 'Change fields of an existing payment page',
		routing: routingOf(update, 'POST', '/PaymentPages/Update'),
	},
	{
		name: 'Validate Reference',
		value: 'validateReference',
		action: 'Check if payment page exists',
		description: 'Find out whether a payment page with this reference exists',
		routing: routingOf(validateReference, 'GET', validateReferencePath),
	},
];

const webhookOperations: INodePropertyOptions[] = [
	{
		name: 'Register',
		value: 'register',
		action: 'Register webhook',
		description: "Set the webhook URL that receives the merchant's events",
		routing: routingOf(register, 'POST', registerWebhookPath),
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
 * Tells n8n which credential a resource uses; nobody sees it. Of all forms, only with this one has the
 * panel exactly one selector of the right type (fact 1): with the option "none", the editor does not
 * take it for the node's main choice of authentication.
 */
function authenticationBy(credential: CredentialName): INodeProperties {
	const options = [{ name: 'None', value: 'none' }];
	const name = 'authentication';
	return { displayName: 'Authentication', name, type: 'hidden', options, default: credential };
}

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
	// A tool has no choice: n8n mixes the columns of its agent's item into its own, and they are not what
	// the model chose to send (fact 17).
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

const resources = [
	{ name: 'Payment Page', value: 'paymentPage' },
	{ name: 'Webhook', value: 'webhook' },
];
const onPages = { resource: ['paymentPage'] };
const onCreate = { ...onPages, operation: ['create'] };
const onUpdate = { ...onPages, operation: ['update'] };

// n8n evaluates an expression twice for each property with the name of its parameter, shown or not,
// so operations share the properties that can hold one.
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
	},
];
