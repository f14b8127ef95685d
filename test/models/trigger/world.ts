import { ManualClock } from '../../engine/harness/trigger/clock';
import { clearLog } from '../../engine/harness/trigger/log';
import { N8n } from '../../engine/harness/trigger/n8n';
import { addRoutes } from '../../engine/harness/trigger/receive';
import { TriggerWorkflow } from '../../engine/harness/trigger/triggerWorkflow';
import { apiKeys, plain, Service, type Message } from './service';

/** What a person chose for a workflow, published or not. */
export interface Draft {
	options: {
		requiredProof?: string;
		acceptUnverified?: boolean;
		fallbackUrl?: string;
		toleranceSeconds?: number;
	};
	name: string; // of the trigger node
}

/** Of a workflow. The first two are one merchant's. */
export type Index = 0 | 1 | 2;
export const credentialIds = ['a', 'a', 'b'] as const;
export type CredentialId = (typeof credentialIds)[number];

/** Where a request arrives. */
export interface Address {
	workflow: Index;
	at: 'production' | 'test';
}
export const addresses = ([0, 1, 2] as const).flatMap((workflow): Address[] => [
	{ workflow, at: 'production' },
	{ workflow, at: 'test' },
]);

export function ofEach<Value>(make: (workflow: Index) => Value): [Value, Value, Value] {
	return [make(0), make(1), make(2)];
}

export type Credential = Record<'baseUrl' | 'merchantId' | 'apiKey' | 'webhookSecret', string>;

/** What of n8n can break: reading credentials, storing executions, reaching itself. */
export const parts = ['vault', 'database', 'self'] as const;

/** One n8n with three workflows, one service, and a clock: what a model's steps change. */
export class World {
	readonly workflows: [TriggerWorkflow, TriggerWorkflow, TriggerWorkflow];
	readonly drafts = ofEach((): Draft => ({ options: {}, name: 'Payment Page Trigger' }));
	/** What each person's change that still waits for the service will come to. */
	readonly pending = new Map<Index, Promise<void>>();
	signing: Message['signing'] = 'body'; // how the service signs now
	receivers = 0; // processes that receive events, beside the main one
	readonly broken = new Set<(typeof parts)[number]>(); // what of n8n is broken

	private constructor(
		readonly service: Service,
		readonly n8n: N8n,
	) {
		n8n.clock.countHeld = service.countHeld;
		n8n.beforeExecution = () => {
			if (this.broken.has('database')) throw new Error('Full');
		};
		this.saveCredential('a', { merchantId: '7', apiKey: apiKeys['7']?.[0] });
		this.saveCredential('b', { merchantId: '8', apiKey: apiKeys['8']?.[0] });
		this.workflows = ofEach(
			(index) => new TriggerWorkflow(n8n, { credentialId: credentialIds[index] }),
		);
	}

	static async start(): Promise<World> {
		clearLog();
		const clock = new ManualClock();
		return new World(await new Service().start(), await N8n.start(clock, addRoutes));
	}

	async stop(): Promise<void> {
		this.n8n.clock.stop();
		await Promise.all([this.n8n.stop(), this.service.stop()]);
	}

	restart(receivers: number): void {
		this.n8n.restart({ receivers });
		this.receivers = receivers;
	}

	edit(index: Index, change: Partial<Draft>): void {
		const draft = { ...this.drafts[index], ...change };
		this.drafts[index] = draft;
		this.workflows[index].change({ name: draft.name, options: { ...draft.options } });
	}

	/** What its owner has entered. */
	stored(id: CredentialId): Credential {
		const none = { merchantId: '', apiKey: '', webhookSecret: '' };
		return { baseUrl: this.service.baseUrl, ...none, ...this.n8n.credentials.get(id) };
	}

	/** That of a workflow, if n8n can read it. */
	credentialOf(workflow: Index): Credential | undefined {
		return this.n8n.readsCredentials ? this.stored(credentialIds[workflow]) : undefined;
	}

	saveCredential(id: CredentialId, change: Partial<Credential>): void {
		this.n8n.credentials.set(id, { ...this.stored(id), ...change });
	}

	/** The service may hold a registration; then nobody waits for the end of the change. */
	async change(workflow: Index, change: Promise<void>): Promise<void> {
		const end = change.finally(() => this.pending.delete(workflow));
		this.pending.set(workflow, end);
		await this.n8n.clock.passUntil(end);
	}

	urlOf({ workflow, at }: Address): string {
		const { productionUrl, testUrl } = this.workflows[workflow];
		return at === 'test' ? testUrl : productionUrl;
	}

	/** Whose address it is; undefined when it is none of n8n's. */
	addressOf(url: string): Address | undefined {
		return addresses.find((address) => this.urlOf(address) === plain(url));
	}

	/** A publication that succeeded at a later try lacks some: n8n adds them at the next one. */
	hasAllAddresses(workflow: Index): boolean {
		const path = this.workflows[workflow].productionUrl.split('/webhook/')[1] ?? '';
		return this.n8n.methodsAt(path).length === 3;
	}

	/** Whether it can process events. */
	get isSound(): boolean {
		return !this.broken.has('vault') && !this.broken.has('database');
	}

	setPart(part: (typeof parts)[number], works: boolean): void {
		if (works) this.broken.delete(part);
		else this.broken.add(part);
		this.n8n.readsCredentials = !this.broken.has('vault');
		this.n8n.reachesItself = !this.broken.has('self');
	}
}
