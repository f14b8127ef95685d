import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../shared/lock';
import { PlainError } from '../shared/plainError';
import { cacheFolder } from './installation';
import { npm } from './npm';

/** The version of n8n's database driver that all releases here ask for. */
const version = '5.1.7';

const binary = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

/**
 * Gets n8n's database driver, in a folder of its own: n8n is downloaded meanwhile. Its install script
 * downloads it, or compiles it where that is not possible. It speaks Node-API, so one is enough for
 * all versions of n8n and Node.js.
 *
 * @returns the file
 */
export async function getDriver(): Promise<string> {
	const folder = path.join(cacheFolder(), `sqlite3-${version}`);
	const driver = path.join(folder, 'node_sqlite3.node');
	await withLock(`${folder}.lock`, async () => {
		if (existsSync(driver)) return;
		const growing = path.join(folder, 'building');
		await rm(growing, { recursive: true, force: true });
		await mkdir(growing, { recursive: true });
		const dependencies = { sqlite3: version };
		await writeFile(path.join(growing, 'package.json'), JSON.stringify({ dependencies }));
		await npm(growing, ['install', '--ignore-scripts=false', '--foreground-scripts']);
		await copyFile(path.join(growing, binary), driver);
		await rm(growing, { recursive: true });
	});
	return driver;
}

/** Puts the driver into an installation of n8n. */
export async function putDriver(driver: string, folder: string): Promise<void> {
	const manifest = path.join(folder, 'node_modules', 'sqlite3', 'package.json');
	const wanted = (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
	if (wanted !== version) {
		throw new PlainError(`n8n needs version ${wanted} of its database driver, not ${version}.`);
	}
	const file = path.join(folder, binary);
	await mkdir(path.dirname(file), { recursive: true });
	await copyFile(driver, file);
}
