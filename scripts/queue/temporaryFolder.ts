import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '../shared/lock';

/** The number is that of the process that the folder belongs to. */
const ownedFolder = /^payment-pages-queue-(\d+)-/;

/** Deletes what was left behind by processes that were interrupted or killed. */
async function deleteAbandoned(): Promise<void> {
	for (const name of await readdir(tmpdir())) {
		const owner = ownedFolder.exec(name)?.[1];
		if (owner === undefined || isAlive(Number(owner))) continue;
		// It may belong to another user of this machine, who can delete it.
		await rm(path.join(tmpdir(), name), { recursive: true }).catch(() => undefined);
	}
}

/** Makes an empty folder for this process. */
export async function makeTemporaryFolder(): Promise<string> {
	await deleteAbandoned();
	return mkdtemp(path.join(tmpdir(), `payment-pages-queue-${process.pid}-`));
}
