import { waitFor } from '../../../scripts/shared/waitFor';
import { runJson } from '../../../scripts/localN8n/execution';
import type { Bed } from './testBed';
import { triggerName, triggerNode } from './triggerWorkflow';
import { node, setField, workflow } from './workflow';

const lastNode = 'Work';

/** The key of docs/trigger.md: by mode, and of an event without the payment's ID by execution. */
const key = '={{ $execution.mode }} {{ $json.body.paymentId ?? $execution.id }}';

/** The trigger, n8n's Remove Duplicates as docs/trigger.md shows it, and a node that does the work. */
export class DeduplicatedWorkflow {
	private constructor(
		private readonly bed: Bed,
		readonly id: string,
	) {}

	static async published(bed: Bed): Promise<DeduplicatedWorkflow> {
		const removeDuplicates = node(
			'Remove Duplicates',
			'n8n-nodes-base.removeDuplicates',
			{
				operation: 'removeItemsSeenInPreviousExecutions',
				dedupeValue: key,
				options: { historySize: 100_000 },
			},
			{ typeVersion: 2 },
		);
		const work = setField(lastNode, 'worked', '={{ $json.body.paymentId ?? "no ID" }}');
		const { id } = await bed.save(workflow('Once', [triggerNode(), removeDuplicates, work]));
		const { status } = await bed.client.activate(id);
		if (status !== 'published') throw new Error(status);
		return new DeduplicatedWorkflow(bed, id);
	}

	async listen(): Promise<void> {
		await this.bed.client.startRun(this.id, triggerName);
	}

	async unpublish(): Promise<void> {
		await this.bed.client.deactivate(this.id);
	}

	/** Waits until everything that was received so far has ended. */
	async ended(): Promise<void> {
		await waitFor(
			async () =>
				(await this.bed.client.listExecutions(this.id)).every(({ status }) => status === 'success'),
			{ what: 'the executions to succeed', timeoutMilliseconds: 60_000 },
		);
	}

	/** The payments that were worked on, oldest first, once so many executions have ended. */
	async workedOn(executions: number, mode = 'webhook'): Promise<unknown[]> {
		const found = await waitFor(
			async () => {
				const all = await this.bed.client.listExecutions(this.id);
				const own = all.filter((execution) => execution.mode === mode);
				return own.length >= executions && own.every(({ status }) => status === 'success') && own;
			},
			{ what: `${executions} executions to succeed`, timeoutMilliseconds: 60_000 },
		);
		const worked: unknown[] = [];
		for (const { id } of found.toReversed()) {
			const items = runJson(await this.bed.client.getExecution(id), lastNode);
			worked.push(...items.map((item) => item['worked']));
		}
		return worked;
	}
}
