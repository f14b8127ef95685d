import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '../shared/waitFor';

function isAlive(processId: number): boolean {
	try {
		process.kill(processId, 0);
		return true;
	} catch (error) {
		// EPERM: there is such a process, it only belongs to somebody else.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** Takes the lock file, also from a process that ended without giving it back. */
async function tryLock(file: string): Promise<boolean> {
	try {
		await writeFile(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
	const holder = Number(await readFile(file, 'utf8').catch(() => ''));
	// An empty file is one that its holder is just about to write.
	if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
	return false;
}

/** Runs `work` while no other process of this machine runs work under the same lock file. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	await mkdir(path.dirname(file), { recursive: true });
	await waitFor(() => tryLock(file), {
		what: `another process that holds ${file}; if there is none, delete this file`,
		timeoutMilliseconds: 30 * 60_000,
		intervalMilliseconds: 500,
	});
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}
