import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './subprocess';
import { waitFor } from './waitFor';

/** Takes a lock file, also from a process that ended without deleting it, if it is free. */
export async function takeLock(file: string): Promise<boolean> {
	await mkdir(path.dirname(file), { recursive: true });
	try {
		await writeFile(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
	const owner = Number(await readFile(file, 'utf8').catch(() => ''));
	// An empty file is one that its owner is just about to write.
	if (owner === 0 || isAlive(owner)) return false;
	await rm(file, { force: true });
	return takeLock(file);
}

/** Runs `work` while no other process of this machine runs work under the same lock file. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	await waitFor(() => takeLock(file), {
		what: `another process that uses ${file}; if there is none, delete this file`,
		timeoutMilliseconds: 30 * 60_000,
		intervalMilliseconds: 500,
	});
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}
