import type { N8nInstance } from '../../scripts/localN8n/instance';
import type { QueueMode } from '../../scripts/queue/queueMode';
import { isAlive } from '../../scripts/shared/lock';
import { waitFor } from '../../scripts/shared/waitFor';
import type { Kill } from './killPlan';

/** Starts each process of n8n that has ended, as a service manager does; gives their number. */
export async function reviveEnded(processes: readonly N8nInstance[]): Promise<number> {
	const ended = processes.filter((each) => !isAlive(each.processGroup()));
	await Promise.all(ended.map((each) => each.restart()));
	return ended.length;
}

async function carryOut({ part, which }: Kill, queue: QueueMode): Promise<void> {
	const kill = async (instance: N8nInstance | undefined) => {
		await instance?.kill();
		await instance?.restart();
	};
	const actions: Record<Kill['part'], () => Promise<void>> = {
		worker: () => kill(queue.workers[which]),
		'webhook processor': () => kill(queue.processors[which]),
		'main process': () => kill(queue.main),
		Redis: () => queue.redis.restart(),
		PostgreSQL: () => queue.postgres.restart(),
	};
	await actions[part]();
}

/**
 * Carries out the kills, each when its number of events has been begun, and starts what has ended,
 * until the flood is over.
 *
 * @param begun tells how many events have been begun
 */
export async function killDuring(
	flood: Promise<unknown>,
	queue: QueueMode,
	plan: readonly Kill[],
	begun: () => number,
): Promise<void> {
	const processes = [queue.main, ...queue.workers, ...queue.processors];
	let isOver = false;
	const over = flood.finally(() => (isOver = true));
	const waiting = [...plan];
	const step = async (): Promise<boolean> => {
		const revived = await reviveEnded(processes);
		if (revived > 0) console.log(`  ${revived} processes had ended, and were started again`);
		const next = waiting[0];
		if (next !== undefined && next.afterEvents <= begun()) {
			waiting.shift();
			console.log(`  after ${begun()} events: ${next.part} ${next.which + 1}`);
			await carryOut(next, queue);
		}
		return isOver;
	};
	await waitFor(step, {
		what: 'the flood to end',
		timeoutMilliseconds: 4 * 60 * 60_000,
		intervalMilliseconds: 250,
	});
	await over;
	await reviveEnded(processes);
	if (waiting.length > 0) console.log(`  ${waiting.length} kills came too late for the flood`);
}
