import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { capture } from '../../../scripts/shared/subprocess';

async function tar(...args: string[]): Promise<void> {
	const { code, output } = await capture('tar', args);
	if (code !== 0) throw new Error(`tar failed: ${output}`);
}

/** Packs what is in a tarball as another version of the package, in a folder. */
export async function packVersion(
	tarball: string,
	version: string,
	folder: string,
): Promise<string> {
	const unpacked = await mkdtemp(path.join(folder, 'version-'));
	await tar('--extract', '--file', tarball, '--directory', unpacked);
	const manifestFile = path.join(unpacked, 'package', 'package.json');
	const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { version: string };
	await writeFile(manifestFile, JSON.stringify({ ...manifest, version }, null, 2));
	const packed = path.join(unpacked, `${version}.tgz`);
	await tar('--create', '--gzip', '--file', packed, '--directory', unpacked, 'package');
	return packed;
}
