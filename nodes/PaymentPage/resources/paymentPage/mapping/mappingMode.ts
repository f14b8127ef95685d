import type { INodeProperties } from 'n8n-workflow';

import { updateDisplayOptions } from '../../../properties/displayOptions';

/** How an item becomes the fields of a page: the same choice on create and update. */
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
			description: 'Send the columns that have the name of a page field',
		},
	],
	default: 'defineBelow',
	description: 'Where the values of the page come from',
	displayOptions: { hide: { '@tool': [true] } },
};

/**
 * A tool of an agent has no choice: n8n mixes the item that the agent was given into the item of its
 * tool (n8n facts, "The declarative engine"), and its columns are not what the model chose to send.
 */
const mappingModeOfTool: INodeProperties = {
	displayName: 'Mapping Mode',
	name: 'mappingMode',
	type: 'hidden',
	default: 'defineBelow',
	displayOptions: { show: { '@tool': [true] } },
};

/**
 * For what both operations have in common: n8n evaluates an expression twice for each property with the
 * name of its parameter, shown or not, so they share one.
 */
export const forCreateAndUpdate = {
	show: { resource: ['paymentPage'], operation: ['create', 'update'] },
};

export const mappingModeProperties = updateDisplayOptions(forCreateAndUpdate, [
	mappingMode,
	mappingModeOfTool,
]);

export const fieldsBelow = { show: { mappingMode: ['defineBelow'] } };

export const whenAutomatic = { show: { mappingMode: ['autoMapInputData'] } };

/** Says which columns count, where the fields would be otherwise. */
export function automaticMappingNotice(names: readonly string[], more = ''): INodeProperties {
	return {
		displayName: `Columns with these names are sent. All others are ignored: ${names.join(', ')}. Rename your columns with an Edit Fields node before this one. The payer sees the column 'description', and the column 'merchantId' replaces the merchant of the credential.${more}`,
		name: 'automaticMappingNotice',
		type: 'notice',
		default: '',
	};
}
