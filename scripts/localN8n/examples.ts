import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { INode, INodeParameterResourceLocator } from 'n8n-workflow';
import { projectRoot } from '../shared/root';
import type { StoredCredential, StoredWorkflow, WorkflowContent } from './types';

const examplesFolder = path.join(projectRoot, 'examples');

export const crmFile = path.join(examplesFolder, 'crm.csv');

/** The data table that the example workflows read and write. */
export const crmTable = 'CRM payments';

/** In the order in which they can be stored: a sub-workflow before the workflow that calls it. */
export const exampleFiles = [
	'payment-then-message',
	'wait-for-payment',
	'agent-tool',
	'create-pages-from-google-sheets',
	'create-pages-from-crm',
	'check-and-update-or-create',
	'mark-row-as-paid',
	'handle-invoice-payment',
	'handle-other-payment',
	'route-payment-events',
	'remind-once',
	'remind-unpaid',
] as const;

export type ExampleFile = (typeof exampleFiles)[number];

/** Chooses, in each node of the package, the credential that a person would choose after the import. */
export function withCredentials(workflow: WorkflowContent, credentials: StoredCredential[]) {
	const nodes = workflow.nodes.map((node): INode => {
		if (!node.type.startsWith('n8n-nodes-payment-pages.')) return node;
		const registers = node.type.endsWith('Trigger') || node.parameters['resource'] === 'webhook';
		const wanted = registers ? 'paymentPagesApiKeyApi' : 'paymentPagesPrivateKeyApi';
		const chosen = credentials.find(({ type }) => type === wanted);
		if (!chosen) return node;
		const { type, id, name } = chosen;
		return { ...node, credentials: { [type]: { id, name } } };
	});
	return { ...workflow, nodes };
}

type Named = Pick<StoredWorkflow, 'id' | 'name'>;

/** Chooses, in each node that calls a workflow, the one of the name that the node shows. */
export function withSubWorkflows(workflow: WorkflowContent, stored: readonly Named[]) {
	const nodes = workflow.nodes.map((node): INode => {
		if (node.type !== 'n8n-nodes-base.executeWorkflow') return node;
		const workflowId = node.parameters['workflowId'] as INodeParameterResourceLocator;
		const chosen = stored.find(({ name }) => name === workflowId.cachedResultName);
		if (!chosen) return node;
		const parameters = { ...node.parameters, workflowId: { ...workflowId, value: chosen.id } };
		return { ...node, parameters };
	});
	return { ...workflow, nodes };
}

/** Reads an example workflow as it would be imported. */
export async function readExample(file: ExampleFile): Promise<WorkflowContent> {
	const text = await readFile(path.join(examplesFolder, `${file}.json`), 'utf8');
	return JSON.parse(text) as WorkflowContent;
}
