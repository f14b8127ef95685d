import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { owner } from '../../../scripts/localN8n/bed';
import { N8nClient } from '../../../scripts/localN8n/client';
import { n8nVersion } from '../../../scripts/localN8n/installation';
import { type N8nInstance, putPackage, startN8n } from '../../../scripts/localN8n/instance';
import { hashOfFiles } from '../../../scripts/pack';
import { withLock } from '../../../scripts/shared/lock';
import { projectRoot } from '../../../scripts/shared/root';

/** Everything that decides what a new n8n has in its folder. */
const sources = ['scripts/localN8n', 'test/e2e/support/preparedFolder.ts'];

/**
 * Makes a folder of an n8n that has been started once and has an owner, unless there is one from an
 * earlier run: its copies spare each test file n8n's migrations and the owner's account.
 */
export async function prepareUserFolder(): Promise<string> {
	const folder = path.join(projectRoot, '.local', 'n8n-prepared');
	const prepared = path.join(folder, `${n8nVersion}-${hashOfFiles(sources)}`);
	await withLock(path.join(folder, 'lock'), async () => {
		if (existsSync(prepared)) return;
		const growing = await mkdtemp(path.join(folder, 'growing-'));
		const n8n = await startN8n({ userFolder: growing });
		await new N8nClient(n8n.url).signIn(owner);
		await n8n.stop();
		// The editor's files, which n8n writes at each start.
		await rm(path.join(growing, '.cache'), { recursive: true });
		await rename(growing, prepared);
	});
	return prepared;
}

/** What was made before the first test file, see globalSetup. */
function made(variable: 'PAYMENT_PAGES_TARBALL' | 'PAYMENT_PAGES_PREPARED_N8N'): string {
	const file = process.env[variable];
	if (file === undefined) throw new Error(`There is no ${variable}: globalSetup did not run.`);
	return file;
}

export const packedTarball = () => made('PAYMENT_PAGES_TARBALL');

/**
 * Starts a new n8n with an owner; its folder goes when it is stopped.
 *
 * @param prepare what is done with its folder before; the packed package is put there by default
 */
export async function startPreparedN8n(
	environment: Record<string, string>,
	prepare = (folder: string) => putPackage(folder, packedTarball()),
): Promise<N8nInstance> {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'payment-pages-e2e-'));
	const remove = (): Promise<void> => rm(userFolder, { recursive: true, force: true });
	try {
		await cp(made('PAYMENT_PAGES_PREPARED_N8N'), userFolder, { recursive: true });
		await prepare(userFolder);
		// Nobody looks at the editor, and n8n takes long to write its files; `browser` has it.
		const settings = { N8N_DISABLE_UI: 'true', ...environment };
		const n8n = await startN8n({ userFolder, environment: settings });
		return { ...n8n, stop: () => n8n.stop().then(remove) };
	} catch (error) {
		await remove();
		throw error;
	}
}
