import { DirectoryLoader, RoutingNode, type ExecuteContext } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
} from 'n8n-workflow';

import { PaymentPage } from '../../../nodes/PaymentPage/PaymentPage.node';

/**
 * The node as n8n has it after loading: with the request options that n8n adds to every declarative
 * node, and an `execute` that hands it to the declarative engine, which n8n's server adds as well.
 */
export function loadPaymentPage(): INodeType {
	const nodeType: INodeType = new PaymentPage();
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	nodeType.execute = async function (this: IExecuteFunctions) {
		return (await new RoutingNode(this as ExecuteContext, nodeType).runNode()) ?? [];
	};
	return nodeType;
}

export function describeNode(
	name: string,
	inputs: INodeTypeDescription['inputs'],
	properties: INodeProperties[] = [],
): INodeTypeDescription {
	const names = { displayName: name, name, description: name, defaults: { name } };
	return { ...names, group: ['transform'], version: 1, inputs, outputs: ['main'], properties };
}

/** Starts a workflow with the given rows, one item each. */
export const rowsNode = (rows: IDataObject[]): INodeType => ({
	description: describeNode('rows', []),
	execute: async () => [rows.map((json) => ({ json }))],
});

const value: INodeProperties = { displayName: 'Value', name: 'value', type: 'string', default: '' };

/** Evaluates its parameter `value` for every item, as any later node of a workflow would. */
export const lookNode: INodeType = {
	description: describeNode('look', ['main'], [value]),
	async execute() {
		const look = (_item: unknown, item: number) => {
			const json = { value: this.getNodeParameter('value', item) as string };
			return { json, pairedItem: { item } };
		};
		return [this.getInputData().map(look)];
	},
};

export class NodeTypes implements INodeTypes {
	constructor(private readonly known: Record<string, INodeType>) {}

	getByName(name: string): INodeType {
		const nodeType = this.known[name];
		if (nodeType === undefined) throw new Error(`No node type "${name}" in this test`);
		return nodeType;
	}

	getByNameAndVersion = (name: string) => this.getByName(name);
	getKnownTypes = () => ({});
}
