import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

function describe(
	name: string,
	inputs: INodeTypeDescription['inputs'],
	properties: INodeProperties[],
): INodeTypeDescription {
	return {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: name,
		defaults: { name },
		inputs,
		outputs: [NodeConnectionTypes.Main],
		properties,
	};
}

/** Starts a workflow with the given rows, one item each. */
export function rowsNode(rows: IDataObject[]): INodeType {
	return {
		description: describe('rows', [], []),
		execute: async () => [rows.map((json) => ({ json }))],
	};
}

/** Evaluates its parameter `value` for every item, as any later node of a workflow would. */
export const lookNode: INodeType = {
	description: describe(
		'look',
		[NodeConnectionTypes.Main],
		[{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [
			this.getInputData().map((_item, item) => ({
				json: { value: this.getNodeParameter('value', item) as string },
				pairedItem: { item },
			})),
		];
	},
};
