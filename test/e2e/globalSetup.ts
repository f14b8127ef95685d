import { installN8n } from '../../scripts/localN8n/install';
import { packPackage } from '../../scripts/pack';
import { missingPackages } from '../../scripts/test';
import { prepareUserFolder } from './support/preparedFolder';
import { serveSharedN8n } from './support/sharedN8n';

/** What takes minutes on a new machine, or would be done by each test file again. */
export default async function globalSetup(): Promise<void> {
	// Where nothing may be skipped, a test fails that misses something.
	if (process.env.CI !== 'true') {
		process.env.PAYMENT_PAGES_MISSING = missingPackages().join(' ');
	}
	await installN8n();
	process.env.PAYMENT_PAGES_TARBALL = await packPackage();
	process.env.PAYMENT_PAGES_PREPARED_N8N = await prepareUserFolder();
	await serveSharedN8n();
}
