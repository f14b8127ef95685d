import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * What n8n-core reads from the environment when it is loaded; import this file before n8n-core. It
 * keeps its settings in a folder of their own, since it would write them to the home folder.
 */
const userFolder = mkdtempSync(path.join(tmpdir(), 'payment-pages-engine-'));

process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';

// The tests send to this machine alone, whatever way to the internet it has.
for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) {
	Reflect.deleteProperty(process.env, name);
	Reflect.deleteProperty(process.env, name.toUpperCase());
}

// n8n-core writes its settings at the first execution, so the folder goes when all tests are over.
if (typeof afterAll === 'function') {
	afterAll(() => rmSync(userFolder, { recursive: true, force: true }));
}
