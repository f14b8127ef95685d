import { LimitedMap } from '../limitedMap';

/** Milliseconds; a flood of forgeries must not fill the log. */
const interval = 60_000;

/** Decides what is logged of messages that each event may cause: the first, and then one a minute. */
export class LogInterval {
	/** By trigger: when a message was logged, and how many there were since. */
	private readonly logged = new LimitedMap<string, { at: number; count: number }>(1_000);

	/**
	 * @param now milliseconds of the clock
	 * @returns how many messages were left out since the last one, as a phrase to append; undefined
	 *   when this one is left out
	 */
	next(identity: string, now: number): string | undefined {
		const { at, count } = this.logged.get(identity) ?? { at: -Infinity, count: 0 };
		if (now - at < interval) {
			this.logged.set(identity, { at, count: count + 1 });
			return undefined;
		}
		this.logged.set(identity, { at: now, count: 0 });
		return count === 0 ? '' : ` (${count} more since the last message)`;
	}
}
