import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Bed, makeBed } from '../../scripts/localN8n/bed';
import { type N8nInstance, startN8n } from '../../scripts/localN8n/instance';
import { packPackage } from '../../scripts/pack';
import { type QueueMode, startQueueMode } from '../../scripts/queue/queueMode';
import { waitFor } from '../../scripts/shared/waitFor';
import { type ExecutionDatabase, postgresDatabase, sqliteDatabase } from './executions';
import { processorMilliseconds } from './processorTime';

/** A new n8n with the package in it, and a sandbox to talk to. */
export interface Rig extends Bed {
	database: ExecutionDatabase;
	processes: N8nInstance[]; // all processes of n8n
}

export interface QueueRig extends Rig {
	queue: QueueMode;
}

async function withBed(url: string, work: (bed: Bed) => Promise<void>): Promise<void> {
	const bed = await makeBed(url);
	try {
		await work(bed);
	} finally {
		await bed.sandbox.stop();
	}
}

/** Does the work on an n8n that is one process, with SQLite, and leaves nothing behind. */
export async function withRegularMode(
	environment: Record<string, string>,
	work: (rig: Rig) => Promise<void>,
): Promise<void> {
	const tarball = await packPackage();
	const userFolder = await mkdtemp(path.join(tmpdir(), 'payment-pages-bench-'));
	try {
		const n8n = await startN8n({ userFolder, tarball, environment });
		try {
			await withBed(n8n.url, (bed) =>
				work({ ...bed, database: sqliteDatabase(userFolder), processes: [n8n] }),
			);
		} finally {
			await n8n.stop();
		}
	} finally {
		await rm(userFolder, { recursive: true, force: true });
	}
}

/** Does the work on an n8n in queue mode, and leaves nothing behind. */
export async function withQueueMode(
	environment: Record<string, string>,
	work: (rig: QueueRig) => Promise<void>,
): Promise<void> {
	const queue = await startQueueMode({ tarball: await packPackage(), environment });
	try {
		const database = postgresDatabase(queue.postgres);
		const processes = [queue.main, ...queue.workers, ...queue.processors];
		await withBed(queue.url, (bed) => work({ ...bed, database, processes, queue }));
	} finally {
		await queue.stop();
	}
}

/** The processor time so far of all processes of n8n. */
export function processorTime({ processes }: Rig): Promise<number> {
	return processorMilliseconds(processes.map((each) => each.processGroup()));
}

const pauseMilliseconds = 500;
/** n8n's own timers use a few hundredths of a core. */
const idleMilliseconds = 0.1 * pauseMilliseconds;

/**
 * Waits until n8n does nothing: what it does after an execution, such as getting rid of an isolate,
 * belongs to that execution and not to who comes next. Gives the processor time until then.
 */
export async function processorTimeWhenIdle(rig: Rig): Promise<number> {
	// Nothing is known before the second look.
	let last = -Infinity;
	return await waitFor(
		async () => {
			const before = last;
			last = await processorTime(rig);
			return last - before < idleMilliseconds && last;
		},
		{
			what: 'n8n to be idle',
			timeoutMilliseconds: 120_000,
			intervalMilliseconds: pauseMilliseconds,
		},
	);
}
