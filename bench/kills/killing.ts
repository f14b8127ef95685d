import type { N8nInstance } from '../../scripts/localN8n/instance';
import type { QueueMode } from '../../scripts/queue/queueMode';
import type { LongRunning } from '../../scripts/shared/longRunning';
import { isAlive } from '../../scripts/shared/lock';
import { waitFor } from '../../scripts/shared/waitFor';
import type { Kill } from './killPlan';

/** A part that can't start so many times in a row will not start at all. */
const mostFailedStarts = 20;

/**
 * How parts end: `killed` as a crash ends them (databases are restarted under everybody's hands), or
 * `orderly` as docs/queue-mode.md advises: SIGTERM, and workers and databases only once the webhook
 * processors are stopped and the queue is empty.
 */
export type Ending = 'killed' | 'orderly';

/** Kills, restarts and starts again what has ended; several at once, but each part once at a time. */
class Killer {
	private readonly processes: N8nInstance[];
	private readonly underWay = new Map<LongRunning, Promise<unknown>>();
	private failedStarts = 0;

	constructor(
		private readonly queue: QueueMode,
		private readonly ending: Ending,
		private readonly untilDrained: () => Promise<void>,
	) {
		this.processes = [queue.main, ...queue.workers, ...queue.processors];
	}

	private part({ part, which }: Kill): LongRunning | undefined {
		const { main, workers, processors, redis, postgres } = this.queue;
		const parts: Record<Kill['part'], LongRunning | undefined> = {
			worker: workers[which],
			'webhook processor': processors[which],
			'main process': main,
			Redis: redis,
			PostgreSQL: postgres,
		};
		return parts[part];
	}

	private begin(parts: LongRunning[], work: () => Promise<unknown>): void {
		// A process of n8n that ended while it was starting, without its database say, is tried again.
		const done = work()
			.then(
				() => (this.failedStarts = 0),
				(error: unknown) => {
					this.failedStarts++;
					console.log(`  ${String(error).split('\n')[0] ?? ''}`);
				},
			)
			.then(() => parts.forEach((part) => this.underWay.delete(part)));
		for (const part of parts) this.underWay.set(part, done);
	}

	/** What has to stand still meanwhile: who fills the queue, and who works on it. */
	private standingStill({ part }: Kill): Record<'processors' | 'workers', LongRunning[]> {
		const { processors, workers } = this.queue;
		if (this.ending === 'killed' || part === 'webhook processor' || part === 'main process') {
			return { processors: [], workers: [] };
		}
		return { processors, workers: part === 'worker' ? [] : workers };
	}

	/** Begins a kill; false while a part that it concerns is still starting. */
	tryKill(kill: Kill): boolean {
		const part = this.part(kill);
		if (part === undefined) return false;
		const { processors, workers } = this.standingStill(kill);
		const parts = [part, ...processors, ...workers];
		if (parts.some((each) => this.underWay.has(each))) return false;
		const isServer = kill.part === 'Redis' || kill.part === 'PostgreSQL';
		this.begin(parts, async () => {
			await Promise.all(processors.map((processor) => processor.stop()));
			if (processors.length > 0) await this.untilDrained();
			await Promise.all(workers.map((worker) => worker.stop()));
			if (!isServer && this.ending === 'killed') await part.kill();
			await part.restart();
			await Promise.all(workers.map((worker) => worker.restart()));
			await Promise.all(processors.map((processor) => processor.restart()));
		});
		return true;
	}

	/** Starts each process of n8n that has ended, as a service manager does; gives their number. */
	reviveEnded(): number {
		if (this.failedStarts > mostFailedStarts) {
			throw new Error('Parts of queue mode do not start any more.');
		}
		const ended = this.processes.filter(
			(each) => !this.underWay.has(each) && !isAlive(each.processGroup()),
		);
		for (const each of ended) this.begin([each], () => each.restart());
		return ended.length;
	}

	/** Waits until everything is there again. */
	async settled(): Promise<void> {
		do await Promise.all(this.underWay.values());
		while (this.reviveEnded() > 0);
	}
}

/**
 * Carries out the kills, each when its number of events has been begun, and starts what has ended,
 * until the flood is over.
 *
 * @param begun tells how many events have been begun
 * @param untilDrained waits until the queue is empty; an execution that n8n lost may stay `new` for ever
 */
export async function killDuring(
	flood: Promise<unknown>,
	queue: QueueMode,
	plan: readonly Kill[],
	ending: Ending,
	begun: () => number,
	untilDrained: () => Promise<void>,
): Promise<void> {
	const killer = new Killer(queue, ending, untilDrained);
	let isOver = false;
	const over = flood.finally(() => (isOver = true));
	const waiting = [...plan];
	const step = (): boolean => {
		const revived = killer.reviveEnded();
		if (revived > 0) console.log(`  ${revived} processes had ended, and are started again`);
		const next = waiting[0];
		if (next !== undefined && next.afterEvents <= begun() && killer.tryKill(next)) {
			waiting.shift();
			console.log(`  after ${begun()} events: ${next.part}`);
		}
		return isOver;
	};
	await waitFor(step, {
		what: 'the flood to end',
		timeoutMilliseconds: 4 * 60 * 60_000,
		intervalMilliseconds: 250,
	});
	await over;
	await killer.settled();
	if (waiting.length > 0) console.log(`  ${waiting.length} kills came too late for the flood`);
}
