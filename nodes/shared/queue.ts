/** Runs tasks with the same key one after the other, in the order in which they came. */
export class ExclusiveQueue {
	private readonly last = new Map<string, Promise<void>>();

	/** How many keys are in use; a key that nobody waits for any more is forgotten. */
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

/** A map for what a process keeps in memory: beyond the limit, the oldest entries are dropped. */
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
