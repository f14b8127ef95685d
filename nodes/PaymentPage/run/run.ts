import {
	NodeConnectionTypes,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { RequestBody } from '../../shared/exactJson';
import type { ServiceError } from '../../shared/errors';
import { ExclusiveQueue, Limiter } from '../../shared/queue';

/** What the items of one run of the node share. It ends with the run; nothing is remembered longer. */

/** The collection `options` of every operation. */
export interface Options {
	maxParallelRequests?: number;
}

const defaultParallelRequests = 5;
const parallelRequestsLimit = 50;

/** An item that is finished, as an error tells it: n8n drops the outputs of a node that stops. */
export interface FinishedItem {
	item: number;
	id?: unknown;
	paymentPageLinkReference?: unknown;
	paymentPageLink?: unknown;
}

/** A page that an item of this run has sent, or has met at the service. */
export interface SentPage {
	item: number;
	reference: string;
	/** As it was sent: in another try, an expression may give something else. */
	body: RequestBody;
	/** The page as the service returned it; absent when it returned none. */
	page?: Record<string, unknown>;
	/** Of a create whose answer was lost: the failure, and whether the service had said before that there was no such page. */
	lost?: { error: ServiceError; wasAbsent: boolean };
}

/** How n8n starts the items of a run. */
interface Start {
	/** How many items the run has. */
	total: number;
	/** Whether n8n goes on with the next item when an expression of one fails. */
	continuesOnFail: boolean;
	/** After how many items n8n waits before it starts the next; undefined when it does not. */
	batchSize: number | undefined;
}

/** One try of a run: n8n's "Retry On Fail" starts another. */
export class Try {
	/** Once it is closed, no further item of this try is started. */
	readonly limiter: Limiter;

	/** Reads the credentials of items while the ones before them are in progress. */
	readonly prefetch: Limiter;

	/** Resolves when n8n has started all items, which with batching takes a while. */
	readonly allStarted: Promise<void>;

	/** Of items in progress, after the first failure of all, which speaks for them where the node stops. */
	readonly failures = new Map<number, unknown>();

	private markAllStarted = (): void => undefined;

	private readonly started = new Set<number>();

	/** @param previous the try before, whose items in progress finish first */
	constructor(
		private readonly start: Start,
		limit: number,
		previous?: Try,
	) {
		this.limiter = new Limiter(limit, !start.continuesOnFail, previous?.limiter.whenIdle());
		this.prefetch = new Limiter(2 * limit);
		this.allStarted = new Promise<void>((resolve) => {
			this.markAllStarted = resolve;
		});
	}

	/** @returns false when the item was started before, so that this is another try */
	add(itemIndex: number): boolean {
		if (this.started.has(itemIndex)) return false;
		this.started.add(itemIndex);
		if (this.started.size >= this.start.total) this.markAllStarted();
		return true;
	}

	/**
	 * n8n starts all items of a try, or of a batch, in one go. Where it did not, one of them had an
	 * expression that failed: n8n has given the whole try up by then, and nobody waits for the others.
	 */
	get isAbandoned(): boolean {
		const { total, continuesOnFail, batchSize } = this.start;
		if (continuesOnFail || this.started.size >= total) return false;
		return batchSize === undefined || this.started.size % batchSize !== 0;
	}
}

/** The items that n8n starts in one turn of the event loop: they are judged together. */
class Turn {
	private readonly readings: unknown[] = [];

	private judged: Promise<unknown[]> | undefined;

	/** @returns what the judge says of this reading, once all of the turn are there */
	async judge<Reading, Judgement>(
		reading: Reading,
		judge: (readings: Reading[]) => Judgement[],
		onEnd: () => void,
	): Promise<Judgement> {
		const place = this.readings.push(reading) - 1;
		this.judged ??= Promise.resolve().then(() => {
			onEnd();
			return judge(this.readings as Reading[]);
		});
		return (await this.judged)[place] as Judgement;
	}
}

export class Run {
	/** The service could not be reached, and has not been since: further items do not wait for it. */
	unreachable = false;

	/** Until then (milliseconds of the clock) the service asked everybody to wait. */
	busyUntil = 0;

	/** Items with the same key run one after the other, so that the second meets the first. */
	readonly exclusive = new ExclusiveQueue();

	/** Whether any request has left. */
	hasSent = false;

	/** The first item of each reference, by what a service may compare of it. */
	readonly references = new Map<string, number>();

	/** Pages by what a service may compare of a reference, then by the reference itself. */
	readonly pages = new Map<string, Map<string, SentPage>>();

	/** Pages whose create was not answered, by item, for the next try. */
	readonly lostPages = new Map<number, SentPage>();

	/** Items that no try can mend: their page was made, and differs from what was asked. */
	readonly finalFailures = new Map<number, unknown>();

	readonly finished: FinishedItem[] = [];

	private readonly outputs = new Map<number, INodeExecutionData[]>();

	private latestTry: Try;

	private turn: Turn | undefined;

	constructor(
		readonly node: INode,
		readonly start: Start,
		private readonly limit: number,
	) {
		this.latestTry = new Try(start, limit);
	}

	/**
	 * Adds an item to the try to which it belongs. What an earlier try has finished is kept, the rest
	 * starts again.
	 */
	add(itemIndex: number): Try {
		if (!this.latestTry.add(itemIndex)) {
			this.latestTry.limiter.close();
			this.latestTry = new Try(this.start, this.limit, this.latestTry);
			this.latestTry.add(itemIndex);
			this.unreachable = false;
		}
		return this.latestTry;
	}

	/** Judges what was read of an item together with all that n8n starts in the same turn. */
	async judgeTogether<Reading, Judgement>(
		reading: Reading,
		judge: (readings: Reading[]) => Judgement[],
	): Promise<Judgement> {
		this.turn ??= new Turn();
		return await this.turn.judge(reading, judge, () => {
			this.turn = undefined;
		});
	}

	/** The output of an item that is finished, in this try or an earlier one. */
	outputOf(itemIndex: number): INodeExecutionData[] | undefined {
		return this.outputs.get(itemIndex);
	}

	finish(output: INodeExecutionData[], item: FinishedItem): void {
		this.outputs.set(item.item, output);
		this.finished.push(item);
		this.unreachable = false;
	}
}

const runs = new WeakMap<object, Run>();

/**
 * The run to which an item belongs. n8n hands the same object to all items of a run, and to all
 * tries of "Retry On Fail" (n8n facts, "The declarative engine").
 */
export function runOf(context: IExecutePaginationFunctions): Run {
	const executeData = context.getExecuteData();
	const known = runs.get(executeData);
	if (known !== undefined) return known;
	// n8n copies the node with all its parameters, so it is asked for once.
	const node = context.getNode();
	const isOfAgent = executeData.node.name !== node.name;
	// Each call by an agent is a run of its own, and hands its arguments to all of its tries.
	const key = isOfAgent ? context.getInputData(0, NodeConnectionTypes.AiTool).json : executeData;
	const run = runs.get(key) ?? startRun(context, node, isOfAgent);
	runs.set(key, run);
	return run;
}

function toLimit(maxParallelRequests: unknown): number {
	const limit = Math.trunc(Number(maxParallelRequests)) || defaultParallelRequests;
	return Math.min(Math.max(limit, 1), parallelRequestsLimit);
}

/** As n8n reads its own request options. */
interface RequestOptions {
	batching?: { batch?: { batchSize: number; batchInterval: number } };
}

function startRun(context: IExecutePaginationFunctions, node: INode, isOfAgent: boolean): Run {
	const { maxParallelRequests } = context.getNodeParameter('options', {}) as Options;
	const { batching } = context.getNodeParameter('requestOptions', {}) as RequestOptions;
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	const items = context.getExecuteData().data.main?.[0]?.length ?? 1;
	const start: Start = {
		// "Execute Once" leaves all items in the data and runs the first; an agent's call has one.
		total: node.executeOnce === true || isOfAgent ? 1 : items,
		continuesOnFail: context.continueOnFail(),
		batchSize: batchInterval > 0 ? Math.max(batchSize, 1) : undefined,
	};
	return new Run(node, start, toLimit(maxParallelRequests));
}
