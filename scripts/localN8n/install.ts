import { existsSync } from 'node:fs';
import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../shared/lock';
import { PlainError } from '../shared/plainError';
import { withProgress } from '../shared/progress';
import {
	cacheFolder,
	completionMark,
	installationFolder,
	n8nVersion,
	release,
} from './installation';
import { npm, npmSteps } from './npm';

const gigabytesNeeded = 3;

async function checkDiskSpace(folder: string): Promise<void> {
	const { bavail, bsize } = await statfs(folder);
	const gigabytes = (bavail * bsize) / 1024 ** 3;
	if (gigabytes >= gigabytesNeeded) return;
	throw new PlainError(
		`n8n needs ${gigabytesNeeded} GB of disk space, but ${folder} has only ${gigabytes.toFixed(1)} GB left. ` +
			'Free some space, or let PAYMENT_PAGES_CACHE name a folder on another disk.',
	);
}

/**
 * n8n has a Kafka client whose install script downloads and compiles a library that only the Kafka
 * nodes need. So no install script runs, and the one that n8n can't do without runs afterwards.
 */
async function fill(folder: string, setStep: (step: string) => void): Promise<void> {
	const { node, installOptions, overrides } = release;
	await writeFile(
		path.join(folder, 'package.json'),
		JSON.stringify({
			private: true,
			dependencies: { n8n: n8nVersion, ...(node !== undefined && { node: String(node) }) },
			overrides,
		}),
	);
	setStep('1 of 2: npm is starting');
	await npm(
		folder,
		['install', '--ignore-scripts', '--loglevel=http', ...installOptions],
		npmSteps((step) => setStep(`1 of 2: ${step}`)),
	);
	setStep('2 of 2: compiling the database driver');
	// Node.js, too, comes by an install script.
	const built = ['sqlite3', ...(node === undefined ? [] : ['node'])];
	await npm(folder, ['rebuild', ...built, '--ignore-scripts=false', '--foreground-scripts']);
	await writeFile(path.join(folder, completionMark), '');
}

export function isInstalled(): boolean {
	return existsSync(path.join(installationFolder(), completionMark));
}

/**
 * Installs the pinned n8n into the cache folder, once for each machine: about 8 minutes and 2.2 GB.
 * It grows in a folder of its own that is renamed at the end, so that what an interrupted
 * installation leaves behind is never taken for n8n.
 */
export async function installN8n(): Promise<void> {
	if (isInstalled()) return;
	const growing = `${installationFolder()}.incomplete`;
	const lock = path.join(cacheFolder(), `n8n-${n8nVersion}.lock`);
	const title = `Installing n8n ${n8nVersion} (once for this machine, about 8 minutes)`;
	await withProgress(title, async (setStep) => {
		setStep('waiting for another installation');
		await withLock(lock, async () => {
			if (isInstalled()) return;
			await rm(growing, { recursive: true, force: true });
			await mkdir(growing, { recursive: true });
			await checkDiskSpace(growing);
			await fill(growing, setStep);
			await rm(installationFolder(), { recursive: true, force: true });
			await rename(growing, installationFolder());
		});
	});
}
