import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { makeFolder } from './temporaryFolders';

export interface ScanVerdict {
	passed: boolean;
	/** What the scan found, as n8n prints it to authors; empty when it found nothing. */
	report: string;
}

/** n8n's verdict on a package: on its source folder, or on what its tarball holds. */
export function scan(kind: 'source' | 'tarball', folder: string): ScanVerdict {
	const script = path.join(__dirname, 'runScan.mjs');
	// Under NODE_ENV=test, which jest sets, n8n's rules take every file for their own fixture.
	// The scan leaves a temporary folder behind, so it gets one of ours to put it in.
	const env = { ...process.env, NODE_ENV: 'production', TMPDIR: makeFolder() };
	const child = spawnSync(process.execPath, [script, kind, folder], { encoding: 'utf8', env });
	if (child.status !== 0) throw new Error(`The scan did not run: ${child.stderr}`);
	return JSON.parse(child.stdout) as ScanVerdict;
}
