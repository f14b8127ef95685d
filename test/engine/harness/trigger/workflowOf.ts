import '../environment';

import { HookContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeType,
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	type WebhookSetupMethodNames,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { apiKeyCredential } from '../../../../nodes/shared/credential';
import { additionalDataFor } from '../additionalData';
import { CredentialsHelper } from '../credentials';
import { NodeTypes } from '../nodeTypes';
import { workflowDataOf } from '../workflow';
import { listenTo } from './log';
import { copyOf, type N8n } from './n8n';

/** n8n's object for a workflow that is the trigger alone; it lives for one call, as there. */
export function workflowOf(
	nodeType: INodeType,
	workflowId: string,
	node: INode,
	{ active, staticData }: { active: boolean; staticData: IDataObject },
): Workflow {
	return new Workflow({
		id: workflowId,
		name: 'Payment events',
		nodes: [copyOf(node)],
		connections: {},
		active,
		nodeTypes: new NodeTypes({ [node.type]: nodeType }),
		staticData,
		settings: { executionOrder: 'v1' },
	});
}

/** The trigger in it, with the defaults of its parameters. */
export function triggerOf(workflow: Workflow): INode {
	const [node] = Object.values(workflow.nodes);
	if (node === undefined) throw new Error('The workflow has no trigger');
	return node;
}

/** What n8n's server hands to hooks and webhooks: its addresses, and the credential as it is then. */
export function serverDataFor(n8n: N8n, node: INode): IWorkflowExecuteAdditionalData {
	const credentials = new CredentialsHelper({
		get paymentPagesApiKeyApi() {
			if (!n8n.readsCredentials) throw new Error('The vault is away');
			return n8n.credentials.get(node.credentials?.[apiKeyCredential]?.id ?? '');
		},
	});
	return {
		...additionalDataFor(workflowDataOf([node], {}), credentials),
		webhookBaseUrl: `${n8n.productionUrl}/webhook`,
		webhookTestBaseUrl: `${n8n.testUrl}/webhook-test`,
	};
}

/** The addresses of the trigger in the order of its description, in which n8n goes through them. */
export function webhooksOf(n8n: N8n, workflow: Workflow): IWebhookData[] {
	const node = triggerOf(workflow);
	const { webhooks = [] } = workflow.nodeTypes.getByNameAndVersion(node.type).description;
	return webhooks.flatMap((webhookDescription) =>
		webhookDescription.httpMethod.split(',').map((method) => ({
			httpMethod: method.trim() as IWebhookData['httpMethod'],
			node: node.name,
			path: `${node.webhookId ?? ''}/${webhookDescription.path}`,
			webhookDescription,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: serverDataFor(n8n, node),
		})),
	);
}

type Modes = [WorkflowExecuteMode, WorkflowActivateMode];

/** Calls a hook of the node if there is one for this webhook. */
async function callHook(
	method: WebhookSetupMethodNames,
	workflow: Workflow,
	webhook: IWebhookData,
	...modes: Modes
): Promise<boolean | undefined> {
	const node = triggerOf(workflow);
	const { webhookMethods } = workflow.nodeTypes.getByNameAndVersion(node.type);
	const { workflowExecuteAdditionalData: data, webhookDescription } = webhook;
	const context = new HookContext(workflow, node, data, ...modes, webhook);
	listenTo(context.logger);
	return await webhookMethods?.[webhookDescription.name]?.[method].call(context);
}

export async function createWebhook(
	workflow: Workflow,
	webhook: IWebhookData,
	...modes: Modes
): Promise<void> {
	if (await callHook('checkExists', workflow, webhook, ...modes)) return;
	await callHook('create', workflow, webhook, ...modes);
}

/** At the end of a test n8n gives the same mode and activation as at the end of a publication. */
export async function deleteWebhook(workflow: Workflow, webhook: IWebhookData): Promise<void> {
	await callHook('delete', workflow, webhook, 'internal', 'update');
}
