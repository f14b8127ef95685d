import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from './shared/lock';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';
import { PlainError } from './shared/terminal';

/** Everything that goes into the tarball or decides how it is made. */
const sources = [
	...['nodes', 'credentials', 'icons'],
	...['package.json', 'tsconfig.json', 'README.md', 'LICENSE.md'],
];

/** SHA-256 over names and contents of files of the project, and of all files in folders. */
export function hashOfFiles(names: string[]): string {
	const hash = createHash('sha256');
	const patterns = names.flatMap((name) => [name, `${name}/**`]);
	for (const name of new Set(globSync(patterns, { cwd: projectRoot }))) {
		const file = path.join(projectRoot, name);
		if (statSync(file).isDirectory()) continue;
		const content = readFileSync(file);
		hash.update(`${name}\0${content.length}\0`).update(content);
	}
	return hash.digest('hex');
}

async function buildAndPack(tarball: string): Promise<void> {
	const builder = path.join(projectRoot, 'node_modules', '.bin', 'n8n-node');
	const build = await capture(builder, ['build']);
	if (build.code !== 0) throw new PlainError(`${build.output}\nThe build stopped at the above.`);
	const folder = await mkdtemp(path.join(path.dirname(tarball), 'packing-'));
	try {
		const { output } = await capture('npm', ['pack', '--silent', '--pack-destination', folder]);
		const name = output.trim().split('\n').at(-1);
		if (!name?.endsWith('.tgz')) throw new Error(`npm pack failed: ${output}`);
		await rename(path.join(folder, name), tarball);
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Builds the package and packs it, unless this very source was packed before; gives the tarball. */
export async function packPackage(): Promise<string> {
	const folder = path.join(projectRoot, '.local', 'package');
	const tarball = path.join(folder, `${hashOfFiles(sources)}.tgz`);
	if (existsSync(tarball)) return tarball;
	// Commands and tests that run at the same time share `dist`.
	await withLock(path.join(folder, 'lock'), async () => {
		if (!existsSync(tarball)) await buildAndPack(tarball);
	});
	return tarball;
}
