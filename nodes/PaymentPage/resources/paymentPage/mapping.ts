import type { IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

import type { PageValues } from '../../../shared/pageFields';
import { readField } from '../../readField';

/** How an item becomes the fields of a page: the same choice on create and update. */
export const mappingModeProperty: INodeProperties = {
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
			description: 'Send every column of the incoming item that bears the name of a page field',
		},
	],
	default: 'defineBelow',
	description: 'Where the values of the page come from',
};

export const fieldsBelow = { mappingMode: ['defineBelow'] };

/** Says which columns count, where the fields would be otherwise. */
export function automaticMappingNotice(names: readonly string[]): INodeProperties {
	return {
		displayName: `Columns with these names are sent, all others are ignored: ${names.join(', ')}. Rename your columns with an Edit Fields node before this one.`,
		name: 'automaticMappingNotice',
		type: 'notice',
		default: '',
	};
}

/**
 * The values of one item, by field name.
 *
 * @param topLevel parameters of their own in the panel
 * @param collection the parameter that holds all other fields
 */
export function readPageValues(
	context: IExecutePaginationFunctions,
	topLevel: readonly (keyof PageValues)[],
	collection: string,
): PageValues {
	if (context.getNodeParameter('mappingMode', 'defineBelow') === 'autoMapInputData') {
		return context.getInputData().json;
	}
	const chosen = context.getNodeParameter(collection, {}, { rawExpressions: true }) as PageValues;
	const values: PageValues = {};
	for (const name of topLevel) values[name] = readField(context, name);
	for (const name of Object.keys(chosen) as Array<keyof PageValues>) {
		values[name] = readField(context, `${collection}.${name}`);
	}
	return values;
}
