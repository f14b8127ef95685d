import type { INode } from 'n8n-workflow';
import type { TriggerWorkflow } from './triggerWorkflow';
import { node, setField } from './workflow';

const lastNode = 'Work';

/** The key of docs/trigger.md: by mode, and of an event without the payment's ID by execution. */
const key = '={{ $execution.mode }} {{ $json.body.paymentId ?? $execution.id }}';

/** After the trigger: n8n's Remove Duplicates as docs/trigger.md shows it, and what does the work. */
export function deduplicated(): INode[] {
	const parameters = {
		operation: 'removeItemsSeenInPreviousExecutions',
		dedupeValue: key,
		options: { historySize: 100_000 },
	};
	const type = 'n8n-nodes-base.removeDuplicates';
	return [
		node('Remove Duplicates', type, parameters, { typeVersion: 2 }),
		setField(lastNode, 'worked', '={{ $json.body.paymentId ?? "no ID" }}'),
	];
}

/** The payments that were worked on, oldest first, once so many executions have ended. */
export async function worked(
	workflow: TriggerWorkflow,
	executions: number,
	mode?: 'webhook' | 'manual',
): Promise<unknown[]> {
	const items = await workflow.outputs(executions, mode, lastNode);
	return items.map((item) => item['worked']);
}
