import {
	NodeConnectionTypes,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { readOptions } from '../properties/options';
import type { DoneItem, Progress } from './itemError';
import { Limiter } from './limiter';
import { Turns } from './runExclusive';

/** One try of a run: n8n's "Retry On Fail" begins another. */
export interface Attempt {
	/** Once it is closed, no further item of this try is started. */
	limiter: Limiter;
	/** Lets items get ready while the ones before them are under way, as many again as these. */
	prefetch: Limiter;
	/** Resolves when nothing of the try before is under way any more. */
	before: Promise<void>;
	/** Resolves when n8n has started all items, which with batching takes a while. */
	allStarted: Promise<void>;
}

interface Size {
	/** How many items the run has. */
	total: number;
	/** Whether n8n goes on with the next item when an expression of one fails. */
	continuesOnFail: boolean;
	/** After how many items n8n waits before it begins the next; undefined when it does not. */
	batchSize: number | undefined;
	maxParallelRequests: unknown;
}

const defaultParallelRequests = 5;
const parallelRequestsLimit = 50;

/** What the items of one run of the node share. */
export class NodeRun {
	/** Items that take the same turn run one after the other, so that the second meets the first. */
	readonly turns = new Turns();

	/** The service could not be reached, and has not been since: further items do not wait for it. */
	unreachable = false;

	/** Until then (milliseconds of the clock) the service asked everybody to wait. */
	busyUntil = 0;

	private attempt: Attempt;

	private markAllStarted = (): void => undefined;

	private readonly limit: number;

	private readonly size: Size;

	private readonly done: DoneItem[] = [];

	private readonly outputs = new Map<number, INodeExecutionData[]>();

	private readonly started = new Set<number>();

	/** @param index which run of its node in the execution this is, from 0 */
	constructor(
		size: Size,
		readonly index: number,
	) {
		this.size = size;
		const limit = Math.trunc(Number(size.maxParallelRequests)) || defaultParallelRequests;
		this.limit = Math.min(Math.max(limit, 1), parallelRequestsLimit);
		this.attempt = this.newAttempt(Promise.resolve());
	}

	/**
	 * Marks an item as started. An item that begins again belongs to another try: what an earlier try
	 * has finished is kept, the rest starts afresh.
	 */
	begin(itemIndex: number): Attempt {
		if (this.started.has(itemIndex)) this.beginAgain();
		this.started.add(itemIndex);
		if (this.started.size >= this.size.total) this.markAllStarted();
		return this.attempt;
	}

	/**
	 * n8n begins all items of a try, or of a batch, in one go. Where it did not, one of them had an
	 * expression that failed: n8n has given the whole try up by then, and nobody waits for the others.
	 */
	get isAbandoned(): boolean {
		const { total, continuesOnFail, batchSize } = this.size;
		if (continuesOnFail || this.started.size >= total) return false;
		return batchSize === undefined || this.started.size % batchSize !== 0;
	}

	/** The output of an item that is done, in this try or an earlier one. */
	outputOf(itemIndex: number): INodeExecutionData[] | undefined {
		return this.outputs.get(itemIndex);
	}

	finish(output: INodeExecutionData[], done: DoneItem): void {
		this.outputs.set(done.item, output);
		this.done.push(done);
		this.unreachable = false;
	}

	/** What is done, in the order of the items. */
	get progress(): Progress {
		const done = [...this.done].sort((first, second) => first.item - second.item);
		return { done, total: this.size.total };
	}

	private newAttempt(before: Promise<void>): Attempt {
		const allStarted = new Promise<void>((resolve) => {
			this.markAllStarted = resolve;
		});
		const limiter = new Limiter(this.limit, !this.size.continuesOnFail);
		return { limiter, prefetch: new Limiter(2 * this.limit), before, allStarted };
	}

	private beginAgain(): void {
		const { limiter } = this.attempt;
		limiter.close();
		this.attempt = this.newAttempt(limiter.whenIdle());
		this.started.clear();
		this.unreachable = false;
	}
}

const runs = new WeakMap<object, NodeRun>();

/**
 * The run to which an item belongs. n8n hands the same object to all items of a run, and to all
 * tries of "Retry On Fail" (n8n facts, "The declarative engine").
 */
export function nodeRunOf(context: IExecutePaginationFunctions): NodeRun {
	const key = keyOf(context);
	let run = runs.get(key);
	if (run === undefined) {
		const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
		run = new NodeRun(sizeOf(context), $runIndex as number);
		runs.set(key, run);
	}
	return run;
}

function isCalledByAgent(context: IExecutePaginationFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/** Each call by an agent is a run of its own, and hands its arguments to all of its tries. */
function keyOf(context: IExecutePaginationFunctions): object {
	return isCalledByAgent(context)
		? context.getInputData(0, NodeConnectionTypes.AiTool).json
		: context.getExecuteData();
}

function totalOf(context: IExecutePaginationFunctions): number {
	// "Execute Once" leaves all items in the data and runs the first; an agent's call has one.
	const isOne = context.getNode().executeOnce === true || isCalledByAgent(context);
	return isOne ? 1 : (context.getExecuteData().data.main?.[0]?.length ?? 1);
}

interface Batch {
	batchSize: number;
	/** Milliseconds. */
	batchInterval: number;
}

function sizeOf(context: IExecutePaginationFunctions): Size {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: Batch };
	};
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	return {
		total: totalOf(context),
		continuesOnFail: context.continueOnFail(),
		// As n8n reads them.
		batchSize: batchInterval > 0 ? Math.max(batchSize, 1) : undefined,
		maxParallelRequests: readOptions(context).maxParallelRequests,
	};
}
