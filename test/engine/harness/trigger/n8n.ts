import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Response } from 'express';
import * as n8nWorkflow from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWebhookData,
	Workflow,
} from 'n8n-workflow';

import type * as TriggerModule from '../../../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';
import type { ManualClock } from './clock';
import { Reach } from './reach';
import { addRawBodyReader } from './request';

/** A copy by way of JSON: what n8n's database and cache give back. */
export function copyOf<T>(value: T): T {
	return JSON.parse(JSON.stringify(value)) as T;
}

/** By which n8n finds an address. */
export const keyOf = ({ httpMethod, path }: Pick<IWebhookData, 'httpMethod' | 'path'>) =>
	`${httpMethod} ${path}`;

/** One address of a test that listens, as n8n keeps it in its cache. */
export interface TestAddress {
	webhook: IWebhookData;
	/** The draft as it was when the test began. */
	node: INode;
	/** What the hooks had put into static data; nothing while `create` of it still runs. */
	staticData?: IDataObject;
}

/** An execution as n8n stores it. */
export interface StoredExecution {
	workflowId: string;
	mode: 'webhook' | 'manual';
	/** What the trigger gave out. */
	items: INodeExecutionData[];
	/** What `webhook()` threw, if it did. */
	error?: unknown;
	/** n8n copies the static data into the record of each execution. */
	staticData: IDataObject;
}

/**
 * As much of n8n's server as a trigger with webhooks sees: addresses over HTTP, what is in the
 * database, what is in the cache, and processes with a memory of their own. It is written after
 * n8n 2.41.1's compiled code; the contexts in which the node runs are n8n-core's own.
 */
export class N8n {
	/** Fields of the stored credentials, by ID. */
	readonly credentials = new Map<string, INodeParameters>();
	/** The trigger of each published workflow, by the workflow's ID. */
	readonly published = new Map<string, INode>();
	readonly executions: StoredExecution[] = [];
	/** The ID of the workflow that has a production address, by method and path. */
	readonly rows = new Map<string, string>();
	/** The tests that listen, by method and path. */
	readonly tests = new Map<string, TestAddress>();
	/** What `delete` threw: n8n logs it, and may keep an address that should go. */
	readonly hookFailures: unknown[] = [];
	/** Where n8n says its production addresses are (`WEBHOOK_URL`), and its test addresses. */
	productionUrl: string;
	testUrl: string;
	readonly reach = new Reach();
	/** Runs when a request has found its workflow, before the node is called: a test may wait in it. */
	beforeWebhook: (response: Response) => Promise<void> | void = () => undefined;
	/** Off, n8n cannot read credentials, as when its database or vault is away. */
	readsCredentials = true;
	/** Runs before an execution is stored: a test may wait in it, or throw as a database does. */
	beforeExecution: () => Promise<void> | void = () => undefined;
	/** The process that runs hooks and tests. */
	main: INodeType;

	private receivers: INodeType[] = [];
	/** Of the processes that run now; those of an earlier start never wake. */
	private processes = {};
	private readonly staticData = new Map<string, string>();
	private readonly server: Server;

	private constructor(
		readonly clock: ManualClock,
		addRoutes: (app: Express, n8n: N8n) => void,
	) {
		this.main = this.startProcess();
		const app = express().disable('x-powered-by').set('query parser', 'extended');
		app.use(this.reach.middleware, addRawBodyReader);
		addRoutes(app, this);
		this.server = createServer(app);
		this.productionUrl = this.testUrl = '';
	}

	static async start(
		clock: ManualClock,
		addRoutes: (app: Express, n8n: N8n) => void,
	): Promise<N8n> {
		const n8n = new N8n(clock, addRoutes);
		await new Promise<void>((resolve) => n8n.server.listen(0, '127.0.0.1', resolve));
		const { port } = n8n.server.address() as AddressInfo;
		n8n.productionUrl = n8n.testUrl = `http://127.0.0.1:${port}`;
		return n8n;
	}

	async stop(): Promise<void> {
		this.processes = {};
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/**
	 * Starts the processes anew: memory and tests that listen are gone, the database stays. n8n calls
	 * no hook for workflows that are published.
	 *
	 * @param receivers how many processes receive the production events in turn, beside the main one
	 */
	restart({ receivers = this.receivers.length }: { receivers?: number } = {}): void {
		this.processes = {};
		this.main = this.startProcess();
		this.receivers = Array.from({ length: receivers }, () => this.startProcess());
		this.tests.clear();
	}

	private startProcess(): INodeType {
		const { processes } = this;
		const sleep = async (milliseconds: number) => {
			await this.clock.sleep(milliseconds);
			if (processes !== this.processes) await new Promise(() => undefined);
		};
		return loadTrigger(sleep);
	}

	/** The process that takes the next production event. */
	nextReceiver(): INodeType {
		const receiver = this.receivers.shift();
		if (receiver === undefined) return this.main;
		this.receivers.push(receiver);
		return receiver;
	}

	removeRows(workflowId: string): void {
		for (const [key, owner] of this.rows) if (owner === workflowId) this.rows.delete(key);
	}

	methodsAt(path: string): string[] {
		const keys = [...this.rows.keys()].filter((key) => key.endsWith(` ${path}`));
		return keys.map((key) => key.slice(0, -path.length - 1));
	}

	testsOf(workflowId: string): TestAddress[] {
		return [...this.tests.values()].filter(({ webhook }) => webhook.workflowId === workflowId);
	}

	/** A copy from the database: each process and each request has one of its own. */
	readStaticData(workflowId: string): IDataObject {
		return JSON.parse(this.staticData.get(workflowId) ?? '{}') as IDataObject;
	}

	/** The last one who writes wins. */
	saveStaticData(workflow: Workflow): void {
		const { staticData } = workflow;
		if (staticData['__dataChanged'] !== true) return;
		this.staticData.set(workflow.id, JSON.stringify(staticData));
		staticData['__dataChanged'] = false;
	}

	/**
	 * A long execution begins, of which a Code node uses `$getWorkflowStaticData`: at its end n8n
	 * writes the static data of all nodes as it was at the beginning.
	 *
	 * @returns ends it
	 */
	beginLongExecution(workflowId: string): () => void {
		const staticData = this.staticData.get(workflowId) ?? '{}';
		return () => this.staticData.set(workflowId, staticData);
	}
}

/**
 * Loads the trigger as a new process of n8n does: what its modules keep in memory is empty, and
 * nobody else's. Only n8n-workflow stays the one of the contexts, so that their errors and
 * expressions are the same classes; its `sleep` goes by the clock.
 */
function loadTrigger(sleep: ManualClock['sleep']): INodeType {
	let loaded: INodeType | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => ({ ...n8nWorkflow, __esModule: true, sleep }));
		const { PaymentPageTrigger } = jest.requireActual<typeof TriggerModule>(
			'../../../../nodes/PaymentPageTrigger/PaymentPageTrigger.node',
		);
		loaded = new PaymentPageTrigger();
	});
	jest.dontMock('n8n-workflow');
	if (loaded === undefined) throw new Error('The trigger was not loaded');
	return loaded;
}
