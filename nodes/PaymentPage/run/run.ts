import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { ServiceError } from '../../shared/errors';
import type { RequestBody } from '../../shared/exactJson';
import { ExclusiveQueue, Limiter } from '../../shared/queue';

/** Of a create: the failure, and whether the service had said before that there was no such page. */
export interface LostAnswer {
	error: ServiceError;
	wasAbsent: boolean;
}

/** A page that an item of this run has sent, or has met at the service. */
export interface SentPage {
	item: number;
	reference: string;
	body: RequestBody; // as it was sent: in another try, an expression may give something else
	page?: Record<string, unknown>; // as the service returned it; absent when it returned none
	lost?: LostAnswer; // absent when the page is known to be there
}

/** How n8n starts the items of a run. */
interface Start {
	total: number; // items of the run
	continuesOnFail: boolean; // whether n8n goes on with the next item when an expression of one fails
	batchSize: number | undefined; // after how many items n8n waits, if it does
}

/** One try of a run: n8n's "Retry On Fail" starts another. */
export class Try {
	readonly limiter: Limiter; // once it is closed, no further item of this try is started
	private markAllStarted: (() => void) | undefined;
	/** With batching, it takes a while. */
	readonly allStarted = new Promise<void>((resolve) => (this.markAllStarted = resolve));
	/** The first failure, which speaks for all where the node stops, and those in progress after it. */
	readonly failures = new Map<number, unknown>();
	private readonly started = new Set<number>();

	/** @param previous the try before, whose items in progress finish first */
	constructor(
		private readonly start: Start,
		limit: number,
		previous?: Try,
	) {
		this.limiter = new Limiter(limit, !start.continuesOnFail, previous?.limiter.whenIdle());
	}

	/** @returns false when the item was started before, so that this is another try */
	add(item: number): boolean {
		if (this.started.has(item)) return false;
		this.started.add(item);
		if (this.started.size >= this.start.total) this.markAllStarted?.();
		return true;
	}

	/** Whether n8n, which starts a try or batch in one go, gave it up at an expression that failed. */
	get isAbandoned(): boolean {
		const { total, continuesOnFail, batchSize } = this.start;
		if (continuesOnFail || this.started.size >= total) return false;
		return batchSize === undefined || this.started.size % batchSize !== 0;
	}
}

/** What the items of one run of the node share; nothing is remembered longer. */
export class Run {
	readonly exclusive = new ExclusiveQueue();
	/** The service could not be reached, and has not been since: further items do not wait for it. */
	unreachable = false;
	busyUntil = 0; // until then (milliseconds of the clock) the service asked everybody to wait
	hasSent = false; // whether any request has left
	/** The first item of each reference, by what a service may compare of it. */
	readonly references = new Map<string, number>();
	/** Pages by what a service may compare of a reference, then by the reference itself. */
	readonly pages = new Map<string, Map<string, SentPage>>();
	/** Pages whose create was not answered, by item, for the next try. */
	readonly lostPages = new Map<number, SentPage>();
	/** Items that no try can mend: their page was made, and differs from what was asked. */
	readonly finalFailures = new Map<number, unknown>();
	/** Of the items that are finished, in this try or an earlier one. */
	readonly outputs = new Map<number, INodeExecutionData>();
	private latestTry: Try;
	/** The items that n8n starts in one turn of the event loop, and what is said of them. */
	private turn: { readings: unknown[]; judged: Promise<unknown[]> } | undefined;

	constructor(
		readonly node: INode,
		readonly start: Start,
		private readonly limit: number,
	) {
		this.latestTry = new Try(start, limit);
	}

	/** @returns the try of an item; what an earlier one has finished is kept, the rest starts again */
	add(item: number): Try {
		if (!this.latestTry.add(item)) {
			this.latestTry.limiter.close();
			this.latestTry = new Try(this.start, this.limit, this.latestTry);
			this.latestTry.add(item);
			this.unreachable = false;
		}
		return this.latestTry;
	}

	/** Judges what was read of an item together with all that n8n starts in the same turn. */
	async judgeTogether<Reading, Judgement>(
		reading: Reading,
		judge: (readings: Reading[]) => Judgement[],
	): Promise<Judgement> {
		const readings: Reading[] = [];
		this.turn ??= {
			readings,
			judged: Promise.resolve().then(() => {
				this.turn = undefined;
				return judge(readings);
			}),
		};
		const { judged } = this.turn;
		const place = this.turn.readings.push(reading) - 1;
		return (await judged)[place] as Judgement;
	}
}

function startRun(context: IExecutePaginationFunctions, node: INode, isOfAgent: boolean): Run {
	const { maxParallelRequests } = context.getNodeParameter('options', {}) as IDataObject;
	// As n8n reads its own request options.
	const batch = context.getNodeParameter('requestOptions.batching.batch', {}) as IDataObject;
	const items = context.getExecuteData().data.main?.[0]?.length ?? 1;
	const start: Start = {
		// "Execute Once" leaves all items in the data and runs the first; an agent's call has one.
		total: node.executeOnce === true || isOfAgent ? 1 : items,
		continuesOnFail: context.continueOnFail(),
		batchSize:
			Number(batch.batchInterval) > 0 ? Math.max(Number(batch.batchSize) || 1, 1) : undefined,
	};
	const limit = Math.trunc(Number(maxParallelRequests)) || 5;
	return new Run(node, start, Math.min(Math.max(limit, 1), 50));
}

const runs = new WeakMap<object, Run>();

/**
 * The run to which an item belongs. n8n hands the same object to all items of a run, and to all
 * tries of "Retry On Fail" (fact 3).
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
