import { DirectoryLoader, RoutingNode, type ExecuteContext } from 'n8n-core';
import type { IExecuteFunctions, INodeType, INodeTypes } from 'n8n-workflow';

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

export class NodeTypes implements INodeTypes {
	constructor(private readonly known: Record<string, INodeType>) {}

	getByName(name: string): INodeType {
		const nodeType = this.known[name];
		if (nodeType === undefined) throw new Error(`No node type "${name}" in this test`);
		return nodeType;
	}

	getByNameAndVersion(name: string): INodeType {
		return this.getByName(name);
	}

	getKnownTypes(): Record<string, never> {
		return {};
	}
}
