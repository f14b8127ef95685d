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

/**
 * A workflow in which each node follows on the first output of the one before; `branches` says what
 * follows on the outputs of a node where it is different, by the name of the node that branches.
 */
export function workflow(
	name: string,
	nodes: INode[],
	branches: Record<string, string[]> = {},
): WorkflowContent {
	const targets = Object.values(branches).flat();
	const inTurn = nodes.slice(1).flatMap(({ name: next }, index): Array<[string, string[]]> => {
		const { name: from = '' } = nodes[index] ?? {};
		return targets.includes(next) ? [] : [[from, [next]]];
	});
	const main = [...inTurn, ...Object.entries(branches)].map(([from, outputs]) => {
		const connected = outputs.map((node) => [{ node, type: 'main' as const, index: 0 }]);
		return [from, { main: connected }] as const;
	});
	return { name, nodes, connections: Object.fromEntries(main), settings: { executionOrder: 'v1' } };
}

/** A workflow with some nodes changed, by their names; each has to be there. */
export function changedNodes(
	content: WorkflowContent,
	changes: Record<string, (node: INode) => Partial<INode>>,
): WorkflowContent {
	const names = content.nodes.map(({ name }) => name);
	const missing = Object.keys(changes).filter((name) => !names.includes(name));
	if (missing.length > 0) throw new Error(`There is no node ${missing.join(', ')}.`);
	const nodes = content.nodes.map((each): INode => ({ ...each, ...changes[each.name]?.(each) }));
	return { ...content, nodes };
}

/** Create without a question and without an amount, for tests that ask about something else. */
export const anyPage: INodeParameters = { isFixedAmount: false, ifReferenceExists: 'create' };
