import { setTimeout as sleep } from 'node:timers/promises';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { QueueMode } from '../../scripts/queue/queueMode';
import { isAlive } from '../../scripts/shared/subprocess';

const parts = ['worker', 'webhook processor', 'main process', 'Redis', 'PostgreSQL'] as const;

/** A part of queue mode that ends, and is started again, during a flood. */
export interface Disturbance {
	part: (typeof parts)[number];
	which: number; // which of two; there is only one main process, one Redis and one PostgreSQL
	afterEvents: number; // happens once so many events have been begun
}

/** Later ones would find a flood that has ended. */
const beforeTheEnd = 0.8;

/** Each part so many times, at random moments of the flood; the same for the same seed. */
export function planDisturbances(seed: number, events: number, times: number): Disturbance[] {
	const random = xoroshiro128plus(seed);
	return Array.from({ length: times }, () =>
		parts.map((part) => ({
			part,
			which: uniformInt(random, 0, 1),
			afterEvents: Math.floor(uniformFloat64(random) * beforeTheEnd * events),
		})),
	)
		.flat()
		.sort((one, other) => one.afterEvents - other.afterEvents);
}

/**
 * How parts end: `killed` as a crash ends them (databases are restarted under everybody's hands), or
 * `orderly` as docs/queue-mode.md advises: SIGTERM, and workers and databases only once the webhook
 * processors are stopped and the queue is empty.
 */
export type Ending = 'killed' | 'orderly';

/** A part that can't start so many times in a row will not start at all. */
const mostFailedStarts = 20;

/** What is disturbed, and what the disturbing has to know of it. */
export interface Disturbed {
	queue: QueueMode;
	begun: () => number; // how many events have been begun
	isOver: () => boolean;
	untilDrained: () => Promise<void>; // waits until the queue is empty
}

async function endAndStart(
	{ part, which }: Disturbance,
	ending: Ending,
	{ queue, untilDrained }: Disturbed,
): Promise<void> {
	const { main, workers, processors, redis, postgres } = queue;
	const restart = (stopped: typeof workers) => Promise.all(stopped.map((each) => each.restart()));
	if (part === 'webhook processor' || part === 'main process' || ending === 'killed') {
		const processes = { worker: workers[which], 'webhook processor': processors[which] };
		const server = { Redis: redis, PostgreSQL: postgres };
		const found = { ...processes, ...server, 'main process': main }[part];
		if (ending === 'killed' && !(part in server)) await found?.kill();
		return found?.restart();
	}
	await Promise.all(processors.map((each) => each.stop()));
	await untilDrained();
	if (part === 'worker') {
		await workers[which]?.restart();
	} else {
		await Promise.all(workers.map((each) => each.stop()));
		await (part === 'Redis' ? redis : postgres).restart();
		await restart(workers);
	}
	await restart(processors);
}

/**
 * Carries out the plan, each disturbance when its number of events has been begun, and starts what has
 * ended, as a service manager does, until the flood is over and everything is there again.
 */
export async function disturb(
	disturbed: Disturbed,
	plan: readonly Disturbance[],
	ending: Ending,
): Promise<void> {
	const { main, workers, processors } = disturbed.queue;
	const waiting = [...plan];
	let failedStarts = 0;
	// A process that ended while it was starting, without its database say, is started again.
	const attempt = (work: () => Promise<void>) =>
		work().then(
			() => (failedStarts = 0),
			(error: unknown) => {
				console.log(`  ${String(error).split('\n')[0] ?? ''}`);
				if (++failedStarts > mostFailedStarts) throw error;
			},
		);
	for (;;) {
		const all = [main, ...workers, ...processors];
		const ended = all.filter((each) => !isAlive(each.processGroup()));
		for (const each of ended) await attempt(() => each.restart());
		const next = waiting[0];
		if (next !== undefined && next.afterEvents <= disturbed.begun()) {
			waiting.shift();
			console.log(`  after ${disturbed.begun()} events: ${next.part}`);
			await attempt(() => endAndStart(next, ending, disturbed));
		} else if (disturbed.isOver() && ended.length === 0) {
			break;
		}
		await sleep(250);
	}
	if (waiting.length > 0) console.log(`  ${waiting.length} came too late for the flood`);
}
