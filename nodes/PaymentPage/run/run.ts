import {
	NodeConnectionTypes,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ExclusiveQueue } from '../../shared/queue';
import { readOptions } from '../properties/options';
import { Attempt, type Start } from './attempt';
import type { DoneItem, Progress } from './itemError';

const defaultParallelRequests = 5;
const parallelRequestsLimit = 50;

function toLimit(maxParallelRequests: unknown): number {
	const limit = Math.trunc(Number(maxParallelRequests)) || defaultParallelRequests;
	return Math.min(Math.max(limit, 1), parallelRequestsLimit);
}

/** What the items of one run of the node share. */
export class Run {
	/** Items with the same key run one after the other, so that the second meets the first. */
	readonly exclusive = new ExclusiveQueue();

	/** The service could not be reached, and has not been since: further items do not wait for it. */
	unreachable = false;

	/** Until then (milliseconds of the clock) the service asked everybody to wait. */
	busyUntil = 0;

	private attempt: Attempt;

	private readonly done: DoneItem[] = [];

	private readonly outputs = new Map<number, INodeExecutionData[]>();

	/** @param index which run of its node in the execution this is, from 0 */
	constructor(
		readonly index: number,
		private readonly start: Start,
		private readonly limit: number,
	) {
		this.attempt = new Attempt(start, limit);
	}

	/**
	 * Adds an item to the try to which it belongs. What an earlier try has finished is kept, the rest
	 * starts again.
	 */
	add(itemIndex: number): Attempt {
		if (!this.attempt.add(itemIndex)) {
			this.attempt.limiter.close();
			this.attempt = new Attempt(this.start, this.limit, this.attempt);
			this.attempt.add(itemIndex);
			this.unreachable = false;
		}
		return this.attempt;
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
		return { done, total: this.start.total };
	}
}

const runs = new WeakMap<object, Run>();

/**
 * The run to which an item belongs. n8n hands the same object to all items of a run, and to all
 * tries of "Retry On Fail" (n8n facts, "The declarative engine").
 */
export function runOf(context: IExecutePaginationFunctions): Run {
	const key = keyOf(context);
	let run = runs.get(key);
	if (run === undefined) {
		const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
		const limit = toLimit(readOptions(context).maxParallelRequests);
		run = new Run($runIndex as number, startOf(context), limit);
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

function startOf(context: IExecutePaginationFunctions): Start {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: Batch };
	};
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	return {
		total: totalOf(context),
		continuesOnFail: context.continueOnFail(),
		// As n8n reads them.
		batchSize: batchInterval > 0 ? Math.max(batchSize, 1) : undefined,
	};
}
