import type { N8nClient } from '../../scripts/localN8n/client';
import { waitFor } from '../../scripts/shared/waitFor';

async function count(client: N8nClient, workflowId: string, status?: string[]): Promise<number> {
	const { count: executions } = await client.session.request<{ count: number }>(
		'get',
		'/executions',
		undefined,
		{ filter: JSON.stringify({ workflowId, ...(status && { status }) }), limit: 1 },
	);
	return executions;
}

/** Waits until all executions of the workflow have ended, and counts them; each must have succeeded. */
export async function settledExecutions(client: N8nClient, workflowId: string): Promise<number> {
	await waitFor(async () => (await count(client, workflowId, ['new', 'running'])) === 0, {
		what: `all executions of workflow ${workflowId} to end`,
		timeoutMilliseconds: 120_000,
	});
	const all = await count(client, workflowId);
	const succeeded = await count(client, workflowId, ['success']);
	if (succeeded === all) return all;
	throw new Error(`Of ${all} executions of workflow ${workflowId}, only ${succeeded} succeeded.`);
}
