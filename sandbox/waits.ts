import { setTimeout as sleep } from 'node:timers/promises';

/** Waits that can all be ended at once, so that stopping never has to sit one out. */
export class Waits {
	private controller = new AbortController();

	/** Aborted by the next `interrupt`. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Resolves to true after the time, or to false as soon as the signal is aborted. */
	async wait(milliseconds: number, signal = this.signal): Promise<boolean> {
		if (milliseconds > 0) {
			await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
				if (!signal.aborted) throw error;
			});
		}
		return !signal.aborted;
	}

	/** Ends all waits; later ones are not touched. */
	interrupt(): void {
		this.controller.abort();
		this.controller = new AbortController();
	}
}
