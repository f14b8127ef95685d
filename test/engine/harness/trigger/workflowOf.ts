import '../environment';

import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeType,
	type IWebhookData,
} from 'n8n-workflow';

import { apiKeyCredential } from '../../../../nodes/shared/credential';
import { additionalDataFor } from '../additionalData';
import { CredentialsHelper } from '../credentials';
import { NodeTypes } from '../nodeTypes';
import { workflowDataOf } from '../workflow';
import type { N8n } from './n8n';

/** A copy by way of JSON: what n8n's database and cache give back. */
export const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** By which n8n finds an address. */
export const keyOf = ({ httpMethod, path }: Pick<IWebhookData, 'httpMethod' | 'path'>) =>
	`${httpMethod} ${path}`;

/** n8n's object for a workflow that is the trigger alone; it lives for one call, as there. */
export function workflowOf(
	nodeType: INodeType,
	id: string,
	node: INode,
	{ active, staticData }: { active: boolean; staticData: IDataObject },
): Workflow {
	return new Workflow({
		...{ id, name: 'Payment events', nodes: [copyOf(node)], connections: {}, active, staticData },
		nodeTypes: new NodeTypes({ [node.type]: nodeType }),
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
export function serverDataFor(n8n: N8n, node: INode) {
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
