import { Limiter } from './limiter';

/** How n8n starts the items of a run. */
export interface Start {
	/** How many items the run has. */
	total: number;
	/** Whether n8n goes on with the next item when an expression of one fails. */
	continuesOnFail: boolean;
	/** After how many items n8n waits before it starts the next; undefined when it does not. */
	batchSize: number | undefined;
}

/** One try of a run: n8n's "Retry On Fail" starts another. */
export class Attempt {
	/** Once it is closed, no further item of this try is started. */
	readonly limiter: Limiter;

	/** Reads the credentials of items while the ones before them are in progress. */
	readonly prefetch: Limiter;

	/** Resolves when n8n has started all items, which with batching takes a while. */
	readonly allStarted: Promise<void>;

	private markAllStarted = (): void => undefined;

	private readonly started = new Set<number>();

	/** @param previous the try before, whose items in progress finish first */
	constructor(
		private readonly start: Start,
		limit: number,
		previous?: Attempt,
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
