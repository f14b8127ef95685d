import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPackage } from './build';
import { projectRoot } from './shared/root';
import { capture } from './shared/subprocess';

/**
 * Builds the package and packs it as `npm publish` would.
 * @returns The path of the tarball, in a temporary folder of its own.
 */
export async function packPackage(): Promise<string> {
	await buildPackage();
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-package-'));
	const { code, output } = await capture(
		'npm',
		['pack', '--silent', '--pack-destination', folder],
		{
			folder: projectRoot,
		},
	);
	if (code !== 0) throw new Error(`npm pack failed: ${output}`);
	const name = output.trim().split('\n').at(-1);
	if (!name?.endsWith('.tgz')) throw new Error(`npm pack named no tarball: ${output}`);
	return path.join(folder, name);
}
