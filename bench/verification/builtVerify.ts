import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { verify } from '../../nodes/PaymentPageTrigger/verification/verify';
import { putPackage } from '../../scripts/localN8n/communityPackage';
import { packPackage } from '../../scripts/pack';

export type Verify = typeof verify;

const builtModule =
	'.n8n/nodes/node_modules/n8n-nodes-payment-pages/dist/nodes/PaymentPageTrigger/verification/verify.js';

/** Hands over the function as n8n runs it: compiled, from the packed package. */
export async function withBuiltVerify<Result>(work: (built: Verify) => Result): Promise<Result> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-bench-'));
	try {
		await putPackage(folder, await packPackage());
		const built = (await import(path.join(folder, builtModule))) as { verify: Verify };
		return work(built.verify);
	} finally {
		await rm(folder, { recursive: true });
	}
}
