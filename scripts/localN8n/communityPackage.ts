import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { capture } from '../shared/subprocess';

/** Where n8n looks for the package. */
export function packageFolder(userFolder: string): string {
	return path.join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-payment-pages');
}

/** Unpacks the package's tarball where n8n looks for community packages. */
export async function putPackage(userFolder: string, tarball: string): Promise<void> {
	const folder = packageFolder(userFolder);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	// npm packs everything below a folder named "package".
	const { code, output } = await capture('tar', [
		'--extract',
		'--file',
		tarball,
		'--directory',
		folder,
		'--strip-components=1',
	]);
	if (code !== 0) throw new Error(`${tarball} could not be unpacked: ${output}`);
}
