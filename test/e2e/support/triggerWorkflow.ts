import { randomUUID } from 'node:crypto';
import axios from 'axios';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { RecordedRequest, Sandbox } from '../../../sandbox';
import type { N8nClient } from '../../../scripts/localN8n/client';
import { runJson } from '../../../scripts/localN8n/execution';
import type { PublicationStatus } from '../../../scripts/localN8n/types';
import { waitFor } from '../../../scripts/shared/waitFor';
import type { Bed } from './testBed';
import { node, workflow } from './workflow';

export const triggerName = 'Payment Page Trigger';

export function triggerNode(parameters: INodeParameters = {}, more: Partial<INode> = {}): INode {
	return node(triggerName, 'n8n-nodes-payment-pages.paymentPageTrigger', parameters, {
		typeVersion: 2,
		webhookId: randomUUID(),
		...more,
	});
}

/** A workflow that consists of the trigger alone, and what tests ask of it. */
export class TriggerWorkflow {
	private constructor(
		private readonly client: N8nClient,
		readonly id: string,
		private readonly nodes: INode[],
	) {}

	/** Stores it in n8n, with the bed's credential unless the node brings its own. */
	static async save(
		bed: Bed,
		parameters: INodeParameters = {},
		more: Partial<INode> = {},
	): Promise<TriggerWorkflow> {
		const content = workflow('Payment events', [triggerNode(parameters, more)]);
		const { id, nodes } = more.credentials
			? await bed.client.createWorkflow(content)
			: await bed.save(content);
		return new TriggerWorkflow(bed.client, id, nodes);
	}

	/** Stores and publishes it, and fails if that does not succeed. */
	static async published(
		bed: Bed,
		parameters?: INodeParameters,
		more?: Partial<INode>,
	): Promise<TriggerWorkflow> {
		const saved = await TriggerWorkflow.save(bed, parameters, more);
		const { status, triggers } = await saved.publish();
		if (status !== 'published') throw new Error(triggers[0]?.errorMessage ?? status);
		return saved;
	}

	async setParameters(parameters: INodeParameters, more: Partial<INode> = {}): Promise<void> {
		const nodes = this.nodes.map((trigger) => ({ ...trigger, parameters, ...more }));
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

	async cancelListen(): Promise<void> {
		await this.client.cancelTestListen(this.id);
	}

	/** What the database has of the trigger's static data. */
	async staticData(): Promise<IDataObject> {
		const { staticData } = await this.client.getWorkflow(this.id);
		return (staticData?.[`node:${triggerName}`] ?? {}) as IDataObject;
	}

	/** How many of the last 100 executions are of events (`webhook`) or of tests (`manual`). */
	async count(mode: 'webhook' | 'manual' = 'webhook'): Promise<number> {
		const all = await this.client.listExecutions(this.id);
		return all.filter((execution) => execution.mode === mode).length;
	}

	/** What the trigger gave out, oldest first, once there are so many executions that have ended. */
	async outputs(count: number, mode: 'webhook' | 'manual' = 'webhook'): Promise<IDataObject[]> {
		const outputs: IDataObject[] = [];
		for (const id of await this.ended(count, mode)) outputs.push(...(await this.outputOf(id)));
		return outputs;
	}

	/** What the trigger gave out last, once exactly so many executions of events have ended. */
	async newestOutput(count: number): Promise<IDataObject | undefined> {
		const ids = await this.ended(count, 'webhook');
		if (ids.length !== count) throw new Error(`There are ${ids.length} executions, not ${count}.`);
		return (await this.outputOf(ids.at(-1) ?? ''))[0];
	}

	private async outputOf(executionId: string): Promise<IDataObject[]> {
		return runJson(await this.client.getExecution(executionId), triggerName);
	}

	/** Ids of the last 100 executions of a mode, oldest first. */
	private async ended(count: number, mode: string): Promise<string[]> {
		const ended = await waitFor(
			async () => {
				const all = await this.client.listExecutions(this.id);
				const found = all.filter((execution) => execution.mode === mode);
				return found.length >= count && found.every(({ status }) => status === 'success') && found;
			},
			{ what: `${count} executions of events to succeed`, timeoutMilliseconds: 60_000 },
		);
		return ended.map(({ id }) => id).toReversed();
	}
}

/** Creates a page at the service, so that somebody can pay it. */
export async function addPage(sandbox: Sandbox, reference: string): Promise<void> {
	const { merchantId, privateKey } = sandbox.settings;
	await axios.post(
		`${sandbox.baseUrl}/PaymentPages/Add`,
		`{"pageName":"Page","paymentPageLinkReference":"${reference}","merchantId":${merchantId},"amount":5}`,
		{ headers: { Authorization: `Bearer ${privateKey}`, 'Content-Type': 'application/json' } },
	);
}

/** The address that is registered; fails when none is. */
export function registeredUrl(sandbox: Sandbox): string {
	const { registration } = sandbox.state;
	if (!registration) throw new Error('Nothing is registered.');
	return registration.webhookUrl;
}

export async function untilRegistered(sandbox: Sandbox, url: string): Promise<void> {
	await waitFor(() => registeredUrl(sandbox) === url, { what: `${url} to be registered again` });
}

/** The payments that outputs of the trigger are about, in an order that does not depend on time. */
export function paymentIds(outputs: Array<{ body?: unknown }>): unknown[] {
	return outputs.map(({ body }) => (body as { paymentId?: unknown }).paymentId).sort();
}

/** The registrations that the service was asked for, oldest first. */
export function registrations(sandbox: Sandbox): Array<{ webhookUrl: string; secret: string }> {
	return sandbox.state.requests
		.filter(isRegistration)
		.map(({ body }) => JSON.parse(body.toString()) as { webhookUrl: string; secret: string });
}

/** The addresses of all registrations, oldest first. */
export function registeredUrls(sandbox: Sandbox): string[] {
	return registrations(sandbox).map(({ webhookUrl }) => webhookUrl);
}

function isRegistration({ url }: RecordedRequest): boolean {
	return url.endsWith('/RegisterWebhook');
}
