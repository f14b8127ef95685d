import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
	what: string; // says what was waited for, in the error after the time is up
	timeoutMilliseconds?: number;
	intervalMilliseconds?: number;
}

/** Asks again and again until `probe` gives something other than undefined or false; gives that. */
export async function waitFor<T>(
	probe: () => Promise<T | undefined | false> | T | undefined | false,
	{ what, timeoutMilliseconds = 30_000, intervalMilliseconds = 100 }: WaitOptions,
): Promise<T> {
	const deadline = Date.now() + timeoutMilliseconds;
	for (;;) {
		const result = await probe();
		if (result !== undefined && result !== false) return result;
		if (Date.now() > deadline) {
			throw new Error(`Gave up after ${timeoutMilliseconds / 1000} s of waiting for ${what}.`);
		}
		await sleep(intervalMilliseconds);
	}
}
