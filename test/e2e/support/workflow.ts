import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowContent } from '../../../scripts/localN8n/types';

/** A node; everything but name, type and parameters has a value that suits most tests. */
export function node(
	name: string,
	type: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode {
	return { id: randomUUID(), name, type, typeVersion: 1, position: [0, 0], parameters, ...more };
}

export function manualTrigger(): INode {
	return node('Manual Trigger', 'n8n-nodes-base.manualTrigger', {});
}

/** Two nodes that bring in rows, one item each, from the node "Rows". */
export function rows(data: IDataObject[]): INode[] {
	const parameters = { mode: 'raw', jsonOutput: JSON.stringify({ rows: data }) };
	return [
		node('List', 'n8n-nodes-base.set', parameters, { typeVersion: 3.4 }),
		node('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'rows', options: {} }),
	];
}

/** A node "Payment Page"; `parameters` hold operation and fields. */
export function paymentPage(parameters: INodeParameters, more: Partial<INode> = {}): INode {
	const all = { resource: 'paymentPage', ...parameters };
	return node('Payment Page', 'n8n-nodes-payment-pages.paymentPage', all, more);
}

/** What an Edit Fields node takes to give fields with the values of expressions. */
export function assigned(values: Record<string, string>): INodeParameters {
	const assignments = Object.entries(values).map(([name, value]) => {
		return { id: randomUUID(), name, value, type: 'string' };
	});
	return { assignments: { assignments }, options: {} };
}

/** An Edit Fields node that adds one field with the value of an expression. */
export function setField(name: string, field: string, expression: string): INode {
	const parameters = { ...assigned({ [field]: expression }), includeOtherFields: true };
	return node(name, 'n8n-nodes-base.set', parameters, { typeVersion: 3.4 });
}

/** Which node follows on which output of another. */
export type Branches = Record<string, Array<string | undefined>>;

/**
 * A workflow in which each node follows on the first output of the one before; `branches` says what
 * follows where it is different, by the name of the node that branches.
 */
export function workflow(name: string, nodes: INode[], branches: Branches = {}): WorkflowContent {
	const connections: WorkflowContent['connections'] = {};
	const connect = (from: string, targets: Array<string | undefined>) => {
		connections[from] = {
			main: targets.map((target) =>
				target === undefined ? [] : [{ node: target, type: 'main', index: 0 }],
			),
		};
	};
	const branchTargets = Object.values(branches).flat();
	nodes.slice(0, -1).forEach(({ name: from }, index) => {
		const next = nodes[index + 1]?.name;
		if (next !== undefined && !branchTargets.includes(next)) connect(from, [next]);
	});
	for (const [from, targets] of Object.entries(branches)) connect(from, targets);
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** A workflow with some nodes changed, by their names; each has to be there. */
export function changedNodes(
	content: WorkflowContent,
	changes: Record<string, (node: INode) => Partial<INode>>,
): WorkflowContent {
	const missing = new Set(Object.keys(changes));
	const nodes = content.nodes.map((each): INode => {
		missing.delete(each.name);
		return { ...each, ...changes[each.name]?.(each) };
	});
	if (missing.size > 0) throw new Error(`There is no node ${[...missing].join(', ')}.`);
	return { ...content, nodes };
}

/** Create without a question and without an amount, for tests that ask about something else. */
export const anyPage: INodeParameters = { isFixedAmount: false, ifReferenceExists: 'create' };
