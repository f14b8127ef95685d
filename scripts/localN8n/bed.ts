import { startSandbox } from '../../sandbox';
import { N8nClient } from './client';
import { saveSandboxCredentials } from './credentials';
import type { Owner } from './types';

/** Who signs in to an n8n that only this machine can reach. */
export const owner: Owner = {
	email: 'owner@payment-pages.example',
	password: 'Sandbox-only-1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

export type Bed = Awaited<ReturnType<typeof makeBed>>;

/** A new sandbox, whose credentials a started n8n gets, be it one process or queue mode. */
export async function makeBed(url: string, settings?: Parameters<typeof startSandbox>[0]) {
	const sandbox = await startSandbox(settings);
	try {
		const client = new N8nClient(url);
		await client.signIn(owner);
		return { client, sandbox, credentials: await saveSandboxCredentials(client, sandbox) };
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}
