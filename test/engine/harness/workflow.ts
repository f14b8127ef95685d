import './environment';

import { WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeType,
	type IWorkflowBase,
	type NodeConnectionType,
} from 'n8n-workflow';

import { additionalDataFor } from './additionalData';
import { CredentialsHelper, type CredentialData } from './credentials';
import { loadPaymentPage, lookNode, NodeTypes, rowsNode } from './nodeTypes';

export interface TestWorkflow {
	rows: IDataObject[]; // the items of the node "Rows", which starts
	nodes: INode[]; // the others; each may use the credentials
	connections: Array<[from: string, to: string, output?: number, type?: NodeConnectionType]>;
	nodeTypes?: Record<string, INodeType>; // beside those of "Payment Page", "Rows" and "Look"
	credentials: CredentialData;
	onCredentialRead?: (itemIndex: number) => void; // told whenever a credential is read for an item
}

export function nodeOf(name: string, type: string, more: Partial<INode> = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...more };
}

export function workflowDataOf(nodes: INode[], connections: IConnections): IWorkflowBase {
	const now = new Date();
	const off = { active: false, isArchived: false, activeVersionId: null };
	return { id: '1', name: 'Test', nodes, connections, ...off, createdAt: now, updatedAt: now };
}

function connected(connections: TestWorkflow['connections']): IConnections {
	const all: IConnections = {};
	for (const [from, node, output = 0, type = 'main'] of connections)
		((all[from] ??= {})[type] ??= [])[output] = [{ node, type, index: 0 }];
	return all;
}

/** Starts a workflow in n8n's own engine. */
export function startWorkflow(test: TestWorkflow): ReturnType<WorkflowExecute['run']> {
	const stored = Object.keys(test.credentials).map((name) => [name, { id: name, name }] as const);
	const credentials = Object.fromEntries(stored);
	const nodes = [nodeOf('Rows', 'rows'), ...test.nodes.map((node) => ({ ...node, credentials }))];
	const workflowData = workflowDataOf(nodes, connected(test.connections));
	const workflow = new Workflow({
		...workflowData,
		nodeTypes: new NodeTypes({
			rows: rowsNode(test.rows),
			look: lookNode,
			paymentPage: loadPaymentPage(),
			...test.nodeTypes,
		}),
		settings: { executionOrder: 'v1' },
	});
	const credentialsHelper = new CredentialsHelper(test.credentials, test.onCredentialRead);
	const additionalData = additionalDataFor(workflowData, credentialsHelper);
	const startNode = workflow.getNode('Rows') ?? undefined;
	return new WorkflowExecute(additionalData, 'manual').run({ workflow, startNode });
}
