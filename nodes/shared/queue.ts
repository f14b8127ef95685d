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
