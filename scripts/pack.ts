import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildPackage } from './build';
import { hashOfFiles } from './shared/hashOfFiles';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';

/** Everything that goes into the tarball or decides how it is made. */
const sources = [
	'nodes',
	'credentials',
	'icons',
	'package.json',
	'tsconfig.json',
	'tsconfig.build.json',
	'gulpfile.js',
	'README.md',
	'LICENSE.md',
];

async function packInto(folder: string): Promise<string> {
	const { code, output } = await capture('npm', ['pack', '--silent', '--pack-destination', folder]);
	const name = output.trim().split('\n').at(-1);
	if (code !== 0 || !name?.endsWith('.tgz')) throw new Error(`npm pack failed: ${output}`);
	return path.join(folder, name);
}

/**
 * Builds the package and packs it as `npm publish` would, unless this very source was packed before.
 * @returns The path of the tarball.
 */
export async function packPackage(): Promise<string> {
	const folder = path.join(projectRoot, '.local', 'package');
	const tarball = path.join(folder, `${await hashOfFiles(projectRoot, sources)}.tgz`);
	if (existsSync(tarball)) return tarball;
	await mkdir(folder, { recursive: true });
	const fresh = await mkdtemp(path.join(folder, 'packing-'));
	try {
		await buildPackage();
		await rename(await packInto(fresh), tarball);
	} finally {
		await rm(fresh, { recursive: true });
	}
	return tarball;
}
