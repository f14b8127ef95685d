import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { N8nClient } from '../../../scripts/localN8n/client';
import { runJson } from '../../../scripts/localN8n/execution';
import type { PublicationStatus } from '../../../scripts/localN8n/types';
import { waitFor } from '../../../scripts/shared/waitFor';
import type { Bed } from './bed';
import { node, workflow } from './workflow';

export const triggerName = 'Payment Page Trigger';

export function triggerNode(parameters: INodeParameters = {}, more: Partial<INode> = {}): INode {
	const others = { typeVersion: 2, webhookId: randomUUID(), ...more };
	return node(triggerName, 'n8n-nodes-payment-pages.paymentPageTrigger', parameters, others);
}

type Mode = 'webhook' | 'manual';

/** A workflow that begins with the trigger, and what tests ask of it. */
export class TriggerWorkflow {
	private constructor(
		private readonly client: N8nClient,
		readonly id: string,
		private readonly nodes: INode[],
	) {}

	/**
	 * Stores it in n8n, with the bed's credential unless the node brings its own.
	 *
	 * @param after nodes that follow the trigger
	 */
	static async save(
		bed: Bed,
		parameters: INodeParameters = {},
		more: Partial<INode> = {},
		after: INode[] = [],
	): Promise<TriggerWorkflow> {
		const content = workflow('Payment events', [triggerNode(parameters, more), ...after]);
		const { id, nodes } = more.credentials
			? await bed.client.createWorkflow(content)
			: await bed.save(content);
		return new TriggerWorkflow(bed.client, id, nodes);
	}

	/** Stores and publishes it, and fails if that does not succeed. */
	static async published(
		...given: Parameters<typeof TriggerWorkflow.save>
	): Promise<TriggerWorkflow> {
		const saved = await TriggerWorkflow.save(...given);
		const { status, triggers } = await saved.publish();
		if (status !== 'published') throw new Error(triggers[0]?.errorMessage ?? status);
		return saved;
	}

	async setParameters(parameters: INodeParameters, more: Partial<INode> = {}): Promise<void> {
		const nodes = this.nodes.map((each) =>
			each.name === triggerName ? { ...each, parameters, ...more } : each,
		);
		await this.client.updateWorkflow(this.id, { nodes });
	}

	/** Waits long: n8n tries five times before it gives up. */
	async publish(): Promise<PublicationStatus> {
		return this.client.activate(this.id, 240_000);
	}

	async unpublish(): Promise<void> {
		await this.client.deactivate(this.id);
	}

	async listen(): Promise<void> {
		const executionId = await this.client.startRun(this.id, triggerName);
		if (executionId !== undefined) throw new Error('The trigger ran instead of listening.');
	}

	/** What the database has of the trigger's static data. */
	async staticData(): Promise<IDataObject> {
		const { staticData } = await this.client.getWorkflow(this.id);
		return (staticData?.[`node:${triggerName}`] ?? {}) as IDataObject;
	}

	/** Those of the last 100 executions that are of events (`webhook`) or of tests (`manual`). */
	private async executions(mode: Mode) {
		return (await this.client.listExecutions(this.id)).filter((each) => each.mode === mode);
	}

	async count(mode: Mode = 'webhook'): Promise<number> {
		return (await this.executions(mode)).length;
	}

	/** What a node gave out, oldest first, once there are so many executions and all have succeeded. */
	async outputs(count: number, mode: Mode = 'webhook', name = triggerName): Promise<IDataObject[]> {
		const outputs: IDataObject[] = [];
		for (const id of await this.ended(count, mode)) {
			outputs.push(...runJson(await this.client.getExecution(id), name));
		}
		return outputs;
	}

	/** What the trigger gave out last, once exactly so many executions have ended. */
	async newestOutput(count: number, mode: Mode = 'webhook'): Promise<IDataObject | undefined> {
		const ids = await this.ended(count, mode);
		if (ids.length !== count) throw new Error(`There are ${ids.length} executions, not ${count}.`);
		return runJson(await this.client.getExecution(ids.at(-1) ?? ''), triggerName)[0];
	}

	/** Ids of executions, oldest first. */
	private async ended(count: number, mode: Mode): Promise<string[]> {
		const ended = await waitFor(
			async () => {
				const found = await this.executions(mode);
				return found.length >= count && found.every(({ status }) => status === 'success') && found;
			},
			{ what: `${count} executions of events to succeed`, timeoutMilliseconds: 60_000 },
		);
		return ended.map(({ id }) => id).toReversed();
	}
}
