import './environment';

import { WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type IConnections,
	type INode,
	type INodeCredentials,
	type INodeType,
	type IWorkflowBase,
} from 'n8n-workflow';

import { additionalDataFor } from './additionalData';
import { CredentialsHelper, type CredentialData } from './credentials';
import { NodeTypes } from './nodeTypes';

export interface TestWorkflow {
	/** The first one starts. */
	nodes: [INode, ...INode[]];
	connections: IConnections;
	nodeTypes: Record<string, INodeType>;
	credentials: CredentialData;
	/** Told whenever a credential is read for an item. */
	onCredentialRead?: (itemIndex: number) => void;
}

export function nodeOf(name: string, type: string, more: Partial<INode> = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...more };
}

/** What a node stores of its credentials: where to find them. */
export function credentialsOf(data: CredentialData): INodeCredentials {
	return Object.fromEntries(Object.keys(data).map((name) => [name, { id: name, name }]));
}

export function workflowDataOf(nodes: INode[], connections: IConnections): IWorkflowBase {
	const now = new Date();
	return {
		id: '1',
		name: 'Test',
		nodes,
		connections,
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: now,
		updatedAt: now,
	};
}

/** Starts a workflow in n8n's own engine. */
export function startWorkflow(test: TestWorkflow): ReturnType<WorkflowExecute['run']> {
	const workflowData = workflowDataOf(test.nodes, test.connections);
	const workflow = new Workflow({
		...workflowData,
		nodeTypes: new NodeTypes(test.nodeTypes),
		settings: { executionOrder: 'v1' },
	});
	const credentialsHelper = new CredentialsHelper(test.credentials, test.onCredentialRead);
	const additionalData = additionalDataFor(workflowData, credentialsHelper);
	return new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode(test.nodes[0].name) ?? undefined,
	});
}
