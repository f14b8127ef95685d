import { setTimeout as sleep } from 'node:timers/promises';
import type { Meter } from './meter';

/** So that the garbage collections of the samples take a small part of the time. */
const pauseForEachMillisecond = 5;

/** The most that n8n's heap held, in bytes after a garbage collection, while `work` was going on. */
export async function peakDuring<Result>(
	meter: Meter,
	work: Promise<Result>,
): Promise<{ result: Result; peak: number }> {
	const ended = work.then(() => true);
	let peak = 0;
	let pause = 0;
	while (!(await Promise.race([ended, sleep(pause, false)]))) {
		const startedAt = Date.now();
		peak = Math.max(peak, await meter.liveHeapBytes());
		pause = (Date.now() - startedAt) * pauseForEachMillisecond;
	}
	return { result: await work, peak };
}
