import { homedir } from 'node:os';
import path from 'node:path';
import { type Release, releaseOf } from './releases';

/** The n8n that start, tests and benchmarks run; one version, so that a result can be repeated. */
export const release = releaseOf(process.env.PAYMENT_PAGES_N8N);
export const n8nVersion = release.version;

/** Where big downloads live: outside the clone, so that all clones of a machine share them. */
export function cacheFolder(): string {
	const chosen = process.env.PAYMENT_PAGES_CACHE;
	return chosen ? path.resolve(chosen) : path.join(homedir(), '.cache', 'n8n-nodes-payment-pages');
}

/** The folder into which n8n is installed, whether or not it is there yet. */
export function installationFolder({ version }: Release = release): string {
	return path.join(cacheFolder(), `n8n-${version}`);
}

function executable(name: 'n8n' | 'node', of: Release): string {
	return path.join(installationFolder(of), 'node_modules', name, 'bin', name);
}

/** n8n's start script, and the Node.js that n8n runs on. */
export const n8nExecutable = () => executable('n8n', release);
export const nodeExecutable = (of: Release = release) =>
	of.node === undefined ? process.execPath : executable('node', of);
