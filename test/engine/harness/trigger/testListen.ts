import type { INode, Workflow } from 'n8n-workflow';

import { copyOf, keyOf, type N8n, type TestAddress } from './n8n';
import { createWebhook, deleteWebhook, webhooksOf, workflowOf } from './workflowOf';

/** A test runs on a workflow that is not active and has no static data, published or not. */
export function draftOf(n8n: N8n, workflowId: string, node: INode): Workflow {
	return workflowOf(n8n.main, workflowId, node, { active: false, staticData: {} });
}

export async function listen(n8n: N8n, workflowId: string, node: INode): Promise<void> {
	const workflow = draftOf(n8n, workflowId, node);
	for (const webhook of webhooksOf(n8n, workflow)) {
		webhook.isTest = true;
		const address: TestAddress = { webhook, node: copyOf(node) };
		n8n.tests.set(keyOf(webhook), address);
		try {
			await createWebhook(workflow, webhook, 'manual', 'manual');
		} catch (error) {
			await endListen(n8n, workflow);
			throw error;
		}
		address.staticData = copyOf(workflow.staticData);
	}
}

/** Each address goes when its `delete` is through; n8n goes on to the next only then. */
export async function endListen(n8n: N8n, workflow: Workflow): Promise<void> {
	for (const address of n8n.testsOf(workflow.id)) {
		if (address.staticData) workflow.staticData = copyOf(address.staticData);
		await deleteWebhook(workflow, address.webhook);
		n8n.tests.delete(keyOf(address.webhook));
	}
}
