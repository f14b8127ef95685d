import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { putPackage } from '../../scripts/localN8n/communityPackage';
import { packPackage } from '../../scripts/pack';

const packageFolder = '.n8n/nodes/node_modules/n8n-nodes-payment-pages';

/** Hands over the folder of the package as n8n has it: compiled, packed and unpacked again. */
export async function withBuiltPackage<Result>(
	work: (folder: string) => Promise<Result>,
): Promise<Result> {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'payment-pages-bench-'));
	try {
		await putPackage(userFolder, await packPackage());
		return await work(path.join(userFolder, packageFolder));
	} finally {
		await rm(userFolder, { recursive: true });
	}
}
