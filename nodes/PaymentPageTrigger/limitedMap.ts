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
