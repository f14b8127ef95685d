import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox';
import { N8nClient } from '../../scripts/localN8n/client';
import { saveSandboxCredentials } from '../../scripts/localN8n/credentials';
import { type N8nInstance, startN8n } from '../../scripts/localN8n/instance';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { packPackage } from '../../scripts/pack';
import { type QueueMode, startQueueMode } from '../../scripts/queue/queueMode';
import { type ExecutionDatabase, postgresDatabase, sqliteDatabase } from './database';

/** A new n8n with the package in it, and a sandbox to talk to. */
export interface Bed {
	client: N8nClient;
	sandbox: Sandbox;
	credentials: StoredCredential[];
	database: ExecutionDatabase;
	/** All processes of n8n. */
	processes: N8nInstance[];
}

export interface QueueBed extends Bed {
	queue: QueueMode;
}

const owner = {
	email: 'owner@payment-pages.example',
	password: 'Bench-only-1',
	firstName: 'Bench',
	lastName: 'Owner',
};

/** Signs in to a started n8n and gives it the credentials of a new sandbox. */
async function withSandbox<Result>(
	url: string,
	work: (bed: Pick<Bed, 'client' | 'sandbox' | 'credentials'>) => Promise<Result>,
): Promise<Result> {
	const sandbox = await startSandbox();
	try {
		const client = new N8nClient(url);
		await client.signIn(owner);
		const credentials = await saveSandboxCredentials(client, sandbox);
		return await work({ client, sandbox, credentials });
	} finally {
		await sandbox.stop();
	}
}

/** Does the work on an n8n that is one process, with SQLite, and leaves nothing behind. */
export async function withRegularMode(
	environment: Record<string, string>,
	work: (bed: Bed) => Promise<void>,
): Promise<void> {
	const tarball = await packPackage();
	const userFolder = await mkdtemp(path.join(tmpdir(), 'payment-pages-bench-'));
	try {
		const n8n = await startN8n({ userFolder, tarball, environment });
		try {
			const database = sqliteDatabase(userFolder);
			await withSandbox(n8n.url, (bed) => work({ ...bed, database, processes: [n8n] }));
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
	work: (bed: QueueBed) => Promise<void>,
): Promise<void> {
	const queue = await startQueueMode({ tarball: await packPackage(), environment });
	try {
		const database = postgresDatabase(queue.postgres);
		const processes = [queue.main, ...queue.workers, ...queue.processors];
		await withSandbox(queue.url, (bed) => work({ ...bed, database, processes, queue }));
	} finally {
		await queue.stop();
	}
}
