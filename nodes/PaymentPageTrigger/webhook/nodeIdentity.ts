import type { IWebhookFunctions } from 'n8n-workflow';

/** Identifies the node among those of all workflows, for what a process keeps in memory. */
export function nodeIdentity(node: IWebhookFunctions): string {
	return `${node.getWorkflow().id ?? ''} ${node.getNode().id}`;
}
