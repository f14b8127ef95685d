/** Runs tasks with the same key one after the other, in the order in which they came. */
export class ExclusiveQueue {
	private readonly last = new Map<string, Promise<void>>();

	/** Keys in use. */
	get size(): number {
		return this.last.size;
	}

	async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
		const previous = this.last.get(key) ?? Promise.resolve();
		const result = previous.then(task);
		// The task reports its own failure; for the next in line it only counts that it is over.
		const over = result.then(
			() => undefined,
			() => undefined,
		);
		this.last.set(key, over);
		try {
			return await result;
		} finally {
			if (this.last.get(key) === over) this.last.delete(key);
		}
	}
}

/** Beyond the limit, the oldest entries are dropped. */
export class LimitedMap<Key, Value> extends Map<Key, Value> {
	constructor(private readonly limit: number) {
		super();
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		if (this.size > this.limit) this.delete(this.keys().next().value as Key);
		return this;
	}
}

/** Lets at most `limit` tasks run at once; the others start in the order in which they came. */
export class Limiter {
	private running = 0;
	private closed = false;
	private readonly idle: Array<() => void> = [];
	private readonly waiting: Array<() => void> = [];

	constructor(
		private readonly limit: number,
		private readonly closesOnFailure = false, // then none is started any more
		private readonly opens?: Promise<void>, // when the first task may start
	) {}

	get isClosed(): boolean {
		return this.closed;
	}

	/** From now on no task is started; what runs may finish. */
	close(): void {
		this.closed = true;
	}

	/** @returns undefined when the limiter was closed before the task's turn came */
	async run<Result>(task: () => Promise<Result>): Promise<Result | undefined> {
		if (this.running >= this.limit) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.running++;
		}
		let hasFailed = true;
		try {
			if (this.opens !== undefined) await this.opens;
			const result = this.closed ? undefined : await task();
			hasFailed = false;
			return result;
		} finally {
			// Before the place is free: the next in line would hear of the failure too late.
			if (hasFailed && this.closesOnFailure) this.close();
			// The place goes straight to the next in line, so that no other task slips in between.
			const next = this.waiting.shift();
			if (next !== undefined) next();
			else if (--this.running === 0) this.idle.splice(0).forEach((resolve) => resolve());
		}
	}

	/** Resolves when no task is running or waiting. */
	async whenIdle(): Promise<void> {
		if (this.running > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
	}
}
