import type { IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { readCredential } from '../../shared/credential';
import type { CredentialName, ServiceCredential } from '../../shared/credential';
import { readOptions } from '../options';
import { Limiter } from './limiter';

/** An item that is done, as the user needs to know it after a failure. */
export interface DoneItem {
	item: number;
	id?: unknown;
	paymentPageLinkReference?: unknown;
}

const defaultParallelRequests = 5;
const mostParallelRequests = 50;

/** What the items of one run of the node share. */
export class NodeRun {
	readonly limiter: Limiter;

	/** References of pages that this run has created. */
	readonly created = new Set<string>();

	readonly done: DoneItem[] = [];

	/** Once true, no further item is started: one failed, and the node is not set to continue. */
	stopped = false;

	/** The service could not be reached, and has not been since: further items do not wait for it. */
	unreachable = false;

	/** Until then (milliseconds of the clock) the service asked everybody to wait. */
	busyUntil = 0;

	private readonly outputs = new Map<number, INodeExecutionData[]>();

	private readonly begun = new Set<number>();

	private readonly turns = new Map<string, Promise<unknown>>();

	private credential?: Promise<ServiceCredential>;

	constructor(maxParallelRequests: unknown) {
		const limit = Math.trunc(Number(maxParallelRequests)) || defaultParallelRequests;
		this.limiter = new Limiter(Math.min(Math.max(limit, 1), mostParallelRequests));
	}

	/**
	 * Marks an item as begun. An item that begins again belongs to another try of n8n's "Retry On
	 * Fail": what an earlier try has finished is kept, the rest starts afresh.
	 *
	 * @returns the output of an earlier try
	 */
	begin(itemIndex: number): INodeExecutionData[] | undefined {
		if (this.begun.has(itemIndex)) {
			this.begun.clear();
			this.stopped = false;
			this.unreachable = false;
			this.credential = undefined;
		}
		this.begun.add(itemIndex);
		return this.outputs.get(itemIndex);
	}

	finish(itemIndex: number, output: INodeExecutionData[], done: DoneItem): void {
		this.outputs.set(itemIndex, output);
		this.done.push(done);
		this.unreachable = false;
	}

	/** The credential is the same for all items, so it is fetched and checked once. */
	async getCredential(
		context: IExecutePaginationFunctions,
		name: CredentialName,
	): Promise<ServiceCredential> {
		this.credential ??= context.getCredentials(name).then((data) => readCredential(name, data));
		return await this.credential;
	}

	/** Runs tasks with the same reference one after the other, so that the second meets the first. */
	async inTurn<Result>(reference: string, task: () => Promise<Result>): Promise<Result> {
		const previous = this.turns.get(reference) ?? Promise.resolve();
		// The previous one reports its own failure; here it only counts that it is over.
		const current = previous.then(task, task);
		this.turns.set(reference, current);
		return await current;
	}
}

const runs = new WeakMap<object, NodeRun>();

/**
 * The run to which an item belongs. n8n hands the same object to all items of a run, and to all
 * tries of "Retry On Fail" (n8n facts, "The declarative engine").
 */
export function nodeRunOf(context: IExecutePaginationFunctions): NodeRun {
	const key = context.getExecuteData();
	let run = runs.get(key);
	if (run === undefined) {
		run = new NodeRun(readOptions(context).maxParallelRequests);
		runs.set(key, run);
	}
	return run;
}
