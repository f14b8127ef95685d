import { sleep } from 'n8n-workflow';

/** How nodes wait. */
export interface Clock {
	/** @param milliseconds with 0, what was started before goes first, and that takes no time */
	sleep: (milliseconds: number) => Promise<void>;
}

export const realClock: Clock = { sleep };

interface Sleeper {
	at: number;
	wake: () => void;
}

/** A clock that goes when it is told to, so that minutes pass in no time. `Date` goes with it. */
export class ManualClock implements Clock {
	private sleepers: Sleeper[] = [];

	/** It starts at the real time. */
	constructor(private now = Date.now()) {
		jest.useFakeTimers({ doNotFake: [...realTimers], now });
	}

	async sleep(milliseconds: number): Promise<void> {
		if (milliseconds <= 0) await sleep(0);
		else
			await new Promise<void>((wake) => {
				this.sleepers.push({ at: this.now + milliseconds, wake });
			});
	}

	/** Lets time pass, and wakes who waited for no longer than that. */
	advance(milliseconds: number): void {
		this.now += milliseconds;
		jest.setSystemTime(this.now);
		const due = this.sleepers.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at);
		this.sleepers = this.sleepers.filter((sleeper) => !due.includes(sleeper));
		for (const { wake } of due) wake();
	}

	/** Milliseconds until the next one wakes; undefined when nobody sleeps. */
	get untilNext(): number | undefined {
		if (this.sleepers.length === 0) return undefined;
		return Math.min(...this.sleepers.map(({ at }) => at)) - this.now;
	}

	stop(): void {
		jest.useRealTimers();
	}
}

/** All but `Date`: sockets and n8n's own time-outs need real time. */
const realTimers = [
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'requestAnimationFrame',
	'cancelAnimationFrame',
	'requestIdleCallback',
	'cancelIdleCallback',
	'setImmediate',
	'clearImmediate',
	'setInterval',
	'clearInterval',
	'setTimeout',
	'clearTimeout',
] as const;
