import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { apiKeyCredential } from '../../../../nodes/shared/credential';
import { nodeOf } from '../workflow';
import { draftOf, endListen, listen, publish, unpublish, type PublishOptions } from './hooks';
import type { N8n, StoredExecution } from './n8n';

/** What a person chose in the editor. */
interface DraftChange {
	options?: INodeParameters;
	credentialId?: string; // key of `N8n.credentials`
	name?: string; // of the node
}

/** A workflow that is the trigger alone: what a person does with it, and what came of it. */
export class TriggerWorkflow {
	readonly id = randomUUID();
	private draft: INode;

	constructor(
		private readonly n8n: N8n,
		chosen: DraftChange,
	) {
		const { name: type, version } = n8n.main.description;
		const [id, webhookId] = [randomUUID(), randomUUID()];
		const more = { id, webhookId, typeVersion: [version].flat().at(-1) };
		this.draft = nodeOf('Payment Page Trigger', type, more);
		this.change({ options: {}, ...chosen });
	}

	/** Changes the draft; production goes on with what was published. */
	change({ options, credentialId: id, name }: DraftChange): void {
		this.draft = {
			...this.draft,
			...(options && { parameters: { options } }),
			...(name !== undefined && { name }),
			...(id !== undefined && { credentials: { [apiKeyCredential]: { id, name: id } } }),
		};
	}

	/** @throws what the node threw, when n8n gives up */
	async publish(options: PublishOptions = {}): Promise<void> {
		await this.takeTime(publish(this.n8n, this.id, this.draft, options));
	}

	async unpublish(): Promise<void> {
		await this.takeTime(unpublish(this.n8n, this.id));
	}

	/** Ends what was published, and publishes the draft. */
	async republish(): Promise<void> {
		await this.unpublish();
		await this.publish();
	}

	/** "Listen for test event". */
	async listen(): Promise<void> {
		await this.takeTime(listen(this.n8n, this.id, this.draft));
	}

	/** The stop button, or the end of the two minutes. */
	async endListen(): Promise<void> {
		await this.takeTime(endListen(this.n8n, draftOf(this.n8n, this.id, this.draft)));
	}

	/** What people do takes a moment, and longer where nodes wait. */
	private async takeTime(change: Promise<void>): Promise<void> {
		const { clock } = this.n8n;
		await clock.passUntil(change);
		await change;
		await clock.pass(1);
	}

	get isListening(): boolean {
		return this.n8n.testsOf(this.id).length > 0;
	}

	get productionUrl(): string {
		return `${this.n8n.productionUrl}/webhook/${this.path}`;
	}

	get testUrl(): string {
		return `${this.n8n.testUrl}/webhook-test/${this.path}`;
	}

	/** What the trigger gave out, oldest first, in production or (`manual`) in tests. */
	outputs(mode?: StoredExecution['mode']): IDataObject[] {
		return this.executions(mode).flatMap(({ items }) => items.map(({ json }) => json));
	}

	executions(mode: StoredExecution['mode'] = 'webhook'): StoredExecution[] {
		const isOwn = (other: StoredExecution) => other.workflowId === this.id && other.mode === mode;
		return this.n8n.executions.filter(isOwn);
	}

	/** What the database has of the trigger's static data. */
	get staticData(): IDataObject {
		return (this.n8n.readStaticData(this.id)[`node:${this.draft.name}`] ?? {}) as IDataObject;
	}

	private get path(): string {
		return `${this.draft.webhookId}/${this.n8n.main.description.webhooks?.[0]?.path}`;
	}
}
