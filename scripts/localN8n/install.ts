import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../shared/lock';
import { PlainError } from '../shared/plainError';
import { withProgress } from '../shared/progress';
import { getDriver, putDriver } from './driver';
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

/** What a release is made of; locked versions spare npm half of the time, which it takes to choose. */
async function writeManifest(folder: string): Promise<'ci' | 'install'> {
	const { node, overrides } = release;
	const dependencies = { n8n: n8nVersion, ...(node !== undefined && { node: String(node) }) };
	const manifest = { private: true, dependencies, overrides };
	await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
	const locked = path.join(__dirname, 'locks', n8nVersion, 'package-lock.json');
	if (!existsSync(locked)) return 'install';
	await copyFile(locked, path.join(folder, 'package-lock.json'));
	return 'ci';
}

/**
 * n8n has a Kafka client whose install script downloads and compiles a library that only the Kafka
 * nodes need. So no install script runs, and what n8n can't do without comes beside it.
 */
async function fill(folder: string, setStep: (step: string) => void): Promise<void> {
	const command = await writeManifest(folder);
	const driver = getDriver();
	const options = ['--ignore-scripts', '--loglevel=http', ...release.installOptions];
	const download = npm(folder, [command, ...options], npmSteps(setStep));
	await Promise.all([driver, download.then(() => setStep('preparing the database driver'))]);
	await putDriver(await driver, folder);
	if (release.node !== undefined) {
		await npm(folder, ['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts']);
	}
	await writeFile(path.join(folder, completionMark), '');
}

export function isInstalled(): boolean {
	return existsSync(path.join(installationFolder(), completionMark));
}

/**
 * Installs the pinned n8n into the cache folder, once for each machine: up to 10 minutes and 2.2 GB.
 * It grows in a folder of its own that is renamed at the end, so that what an interrupted
 * installation leaves behind is never taken for n8n.
 */
export async function installN8n(): Promise<void> {
	if (isInstalled()) return;
	const growing = `${installationFolder()}.incomplete`;
	const lock = path.join(cacheFolder(), `n8n-${n8nVersion}.lock`);
	const title = `Installing n8n ${n8nVersion} (once for this machine, up to 10 minutes)`;
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
