import type { IDataObject, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

export function describeNode(
	name: string,
	inputs: INodeTypeDescription['inputs'],
	properties: INodeProperties[] = [],
): INodeTypeDescription {
	const names = { displayName: name, name, description: name, defaults: { name } };
	return { ...names, group: ['transform'], version: 1, inputs, outputs: ['main'], properties };
}

/** Starts a workflow with the given rows, one item each. */
export function rowsNode(rows: IDataObject[]): INodeType {
	return {
		description: describeNode('rows', []),
		execute: async () => [rows.map((json) => ({ json }))],
	};
}

/** Evaluates its parameter `value` for every item, as any later node of a workflow would. */
export const lookNode: INodeType = {
	description: describeNode(
		'look',
		['main'],
		[{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	),
	async execute() {
		const valueOf = (item: number) => this.getNodeParameter('value', item) as string;
		return [
			this.getInputData().map((_item, item) => ({
				json: { value: valueOf(item) },
				pairedItem: { item },
			})),
		];
	},
};
