import { once } from 'node:events';
import { createServer } from 'node:http';
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

/** Marks a request from outside n8n; it is taken off before n8n sees it. */
export const outsideHeader = 'x-from-outside';

/** One address of a test that listens, as n8n keeps it in its cache. */
export interface TestAddress {
	webhook: IWebhookData;
	node: INode; // the draft as it was when the test began
	staticData?: IDataObject; // what the hooks have put there; nothing while `create` still runs
}

/** An execution as n8n stores it. */
export interface StoredExecution {
	workflowId: string;
	mode: 'webhook' | 'manual';
	items: INodeExecutionData[]; // what the trigger gave out
	error?: unknown; // what `webhook()` threw, if it did
	staticData: IDataObject; // n8n copies it into the record of each execution
}

type AddRoutes = (app: Express, n8n: N8n) => void;

/**
 * As much of n8n's server as a trigger with webhooks sees: addresses over HTTP, what is in the
 * database, what is in the cache, and processes with a memory of their own. It is written after
 * n8n 2.41.1's compiled code; the contexts in which the node runs are n8n-core's own.
 */
export class N8n {
	readonly credentials = new Map<string, INodeParameters>(); // their fields, by ID
	readonly published = new Map<string, INode>(); // triggers, by the workflow's ID
	readonly executions: StoredExecution[] = [];
	readonly rows = new Map<string, string>(); // workflow of each method and path in production
	readonly tests = new Map<string, TestAddress>(); // that listen, by method and path
	readonly hookFailures: unknown[] = []; // what `delete` threw: an address may stay then
	productionUrl = ''; // where n8n says its production addresses are (`WEBHOOK_URL`)
	testUrl = '';
	reachesItself = true; // off, it finds no connection, as behind many a router
	readonly ownRequests: Array<Record<string, string>> = []; // headers of those to itself
	readsCredentials = true; // off, as when its database or vault is away
	/** Runs when a request has found its workflow, before the node is called: a test may wait in it. */
	beforeWebhook: (response: Response) => Promise<void> | void = () => undefined;
	/** Runs before an execution is stored: a test may throw in it, as a database does. */
	beforeExecution: () => void = () => undefined;
	main: INodeType; // the process that runs hooks and tests

	private receivers: INodeType[] = [];
	private processes = {}; // those that run now; those of an earlier start never wake
	private readonly staticData = new Map<string, string>();
	private readonly server = createServer();

	private constructor(readonly clock: ManualClock) {
		this.main = this.startProcess();
	}

	/** @param addRoutes of `receive.ts` */
	static async start(clock: ManualClock, addRoutes: AddRoutes): Promise<N8n> {
		const n8n = new N8n(clock);
		n8n.server.on('request', n8n.app(addRoutes));
		await once(n8n.server.listen(0, '127.0.0.1'), 'listening');
		const { port } = n8n.server.address() as AddressInfo;
		n8n.productionUrl = n8n.testUrl = `http://127.0.0.1:${port}`;
		return n8n;
	}

	private app(addRoutes: AddRoutes): Express {
		const app = express().disable('x-powered-by').set('query parser', 'extended');
		app.use((request, _, next) => {
			const { [outsideHeader]: mark, ...headers } = request.headers;
			request.headers = headers;
			const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
			if (mark === undefined) this.ownRequests.push(Object.fromEntries(texts));
			if (this.reachesItself || mark !== undefined) next();
			else request.socket.destroy();
		});
		addRoutes(app, this);
		return app;
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
		return loadTrigger(async (milliseconds) => {
			await this.clock.sleep(milliseconds);
			if (processes !== this.processes) await new Promise(() => undefined);
		});
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
	saveStaticData({ id, staticData }: Workflow): void {
		if (staticData['__dataChanged'] !== true) return;
		this.staticData.set(id, JSON.stringify(staticData));
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
