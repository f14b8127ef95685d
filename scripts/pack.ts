import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { name, version } from '../package.json';
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
	for (const file of new Set(globSync(patterns, { cwd: projectRoot }))) {
		const place = path.join(projectRoot, file);
		if (statSync(place).isDirectory()) continue;
		const content = readFileSync(place);
		hash.update(`${file}\0${content.length}\0`).update(content);
	}
	return hash.digest('hex');
}

async function run(program: string, ...args: string[]): Promise<void> {
	const { code, output } = await capture(program, args);
	if (code !== 0) throw new PlainError(`${output}\nThe build stopped at the above.`);
}

/** Builds the package and packs it, unless this very source was packed before; gives the tarball. */
export async function packPackage(): Promise<string> {
	const folder = path.join(projectRoot, '.local', 'package');
	const tarball = path.join(folder, `${hashOfFiles(sources)}.tgz`);
	if (existsSync(tarball)) return tarball;
	// Commands and tests that run at the same time share `dist`.
	await withLock(path.join(folder, 'lock'), async () => {
		if (existsSync(tarball)) return;
		await run(path.join(projectRoot, 'node_modules', '.bin', 'n8n-node'), 'build');
		await run('npm', 'pack', '--pack-destination', folder);
		await rename(path.join(folder, `${name}-${version}.tgz`), tarball);
	});
	return tarball;
}
