import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { sandboxCredentials } from '../../../scripts/localN8n/credentials';
import type { StoredCredential } from '../../../scripts/localN8n/types';
import { cleanUp } from '../../support/cleanUp';
import type { Bed } from './bed';

/** A service beside the bed's, for a test that switches it off or spoils it; it ends with the file. */
export async function anotherSandbox(options?: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	cleanUp(() => sandbox.stop());
	return sandbox;
}

/** Stores the API key of a service in n8n under a name, with some fields changed. */
export async function saveApiKey(
	{ client }: Bed,
	sandbox: Sandbox,
	name: string,
	change: Record<string, string> = {},
): Promise<StoredCredential> {
	const right = sandboxCredentials(sandbox).find(({ type }) => type === 'paymentPagesApiKeyApi');
	if (!right) throw new Error('There is no API key.');
	return client.saveCredential({ ...right, name, data: { ...right.data, ...change } });
}

/** The part of a node that makes it use a credential. */
export function withCredential({ type, id, name }: StoredCredential) {
	return { credentials: { [type]: { id, name } } };
}
