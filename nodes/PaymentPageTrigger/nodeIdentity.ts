import type { IHookFunctions } from 'n8n-workflow';

/** Identifies the node among those of all workflows, for what a process keeps in memory. */
export function nodeIdentity(node: Pick<IHookFunctions, 'getWorkflow' | 'getNode'>): string {
	return `${node.getWorkflow().id ?? ''} ${node.getNode().id}`;
}
