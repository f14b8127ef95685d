import { mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hashOfFiles } from './shared/hashOfFiles';
import { withLock } from './shared/lock';
import { PlainError } from './shared/plainError';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';

/** Everything that goes into the tarball or decides how it is made. */
const sources = [
	'nodes',
	'credentials',
	'icons',
	'package.json',
	'tsconfig.json',
	'README.md',
	'LICENSE.md',
];

async function build(): Promise<void> {
	const builder = path.join(projectRoot, 'node_modules', '.bin', 'n8n-node');
	const { code, output } = await capture(builder, ['build']);
	if (code !== 0) throw new PlainError(`${output}\nThe build stopped at the above.`);
}

async function packInto(folder: string): Promise<string> {
	const { code, output } = await capture('npm', ['pack', '--silent', '--pack-destination', folder]);
	const name = output.trim().split('\n').at(-1);
	if (code !== 0 || !name?.endsWith('.tgz')) throw new Error(`npm pack failed: ${output}`);
	return path.join(folder, name);
}

async function buildAndPack(tarball: string): Promise<void> {
	const fresh = await mkdtemp(path.join(path.dirname(tarball), 'packing-'));
	try {
		await build();
		await rename(await packInto(fresh), tarball);
	} finally {
		await rm(fresh, { recursive: true });
	}
}

/**
 * Builds the package and packs it as `npm publish` would, unless this very source was packed before.
 * Commands and tests that run at the same time build one after the other, since they share `dist`.
 * @returns The path of the tarball.
 */
export async function packPackage(): Promise<string> {
	const folder = path.join(projectRoot, '.local', 'package');
	const tarball = path.join(folder, `${await hashOfFiles(projectRoot, sources)}.tgz`);
	if (existsSync(tarball)) return tarball;
	await withLock(path.join(folder, 'lock'), async () => {
		if (!existsSync(tarball)) await buildAndPack(tarball);
	});
	return tarball;
}
