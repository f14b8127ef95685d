import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../shared/lock';
import { capture } from '../shared/subprocess';
import { PlainError } from '../shared/terminal';
import { cacheFolder, installationFolder, n8nVersion, release } from './installation';

const completionMark = '.installation-complete'; // written as the last thing

/** Runs npm in a folder, with its output on the terminal. */
async function npm(folder: string, ...args: string[]): Promise<void> {
	// With npm's own waits it takes more than a minute to find out that there is no network.
	const briefRetries = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];
	const { code } = await capture('npm', [...args, ...briefRetries], { folder, isShown: true });
	if (code === 0) return;
	throw new PlainError(`n8n was not installed; npm's own message is above. It needs the npm registry, 3 GB of disk space
in ${cacheFolder()} (PAYMENT_PAGES_CACHE names another folder),
and perhaps Python 3, make and a C++ compiler.`);
}

/** No install script runs but those that n8n needs: that of its Kafka client downloads a library. */
async function fill(folder: string): Promise<void> {
	const { node, overrides, installOptions } = release;
	const dependencies = { n8n: n8nVersion, ...(node !== undefined && { node: String(node) }) };
	const manifest = { private: true, dependencies, overrides };
	await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
	// Locked versions spare npm half of the time, which it takes to choose.
	const locked = path.join(__dirname, 'locks', n8nVersion, 'package-lock.json');
	if (existsSync(locked)) await copyFile(locked, path.join(folder, 'package-lock.json'));
	const command = existsSync(locked) ? 'ci' : 'install';
	await npm(folder, command, '--ignore-scripts', '--loglevel=error', ...installOptions);
	const needed = node === undefined ? ['sqlite3'] : ['sqlite3', 'node'];
	await npm(folder, 'rebuild', ...needed, '--ignore-scripts=false', '--loglevel=error');
	await writeFile(path.join(folder, completionMark), '');
}

/** Installs the pinned n8n into the cache folder, once for each machine. */
export async function installN8n(): Promise<void> {
	const isInstalled = () => existsSync(path.join(installationFolder(), completionMark));
	if (isInstalled()) return;
	console.log(`Installing n8n ${n8nVersion} in ${cacheFolder()}: about 2,000 packages, 2.2 GB, once for this machine.
This takes up to 10 minutes. Meanwhile, README.md shows how to create your first page.`);
	const growing = `${installationFolder()}.incomplete`;
	await withLock(path.join(cacheFolder(), `n8n-${n8nVersion}.lock`), async () => {
		if (isInstalled()) return;
		// In another folder: what an interrupted installation leaves is never taken for n8n.
		await rm(growing, { recursive: true, force: true });
		await mkdir(growing, { recursive: true });
		await fill(growing);
		await rm(installationFolder(), { recursive: true, force: true });
		await rename(growing, installationFolder());
	});
}
