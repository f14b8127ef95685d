import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox';
import { N8nClient } from '../../scripts/localN8n/client';
import { saveSandboxCredentials } from '../../scripts/localN8n/credentials';
import { type N8nInstance, startN8n } from '../../scripts/localN8n/instance';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { packPackage } from '../../scripts/pack';
import { createMeter, type Meter } from './meter';

/** An n8n of its own with the package in it, and a sandbox to talk to. */
export interface Bench {
	n8n: N8nInstance;
	client: N8nClient;
	meter: Meter;
	sandbox: Sandbox;
	/** The credentials of both types, for the sandbox. */
	credentials: StoredCredential[];
}

const owner = {
	email: 'owner@payment-pages.example',
	password: 'Bench-only-1',
	firstName: 'Bench',
	lastName: 'Owner',
};

/** Starts a fresh n8n and a sandbox, does the work, and leaves nothing behind. */
export async function withBench<Result>(
	environment: Record<string, string>,
	work: (bench: Bench) => Promise<Result>,
): Promise<Result> {
	const tarball = await packPackage();
	const meter = await createMeter();
	const userFolder = await mkdtemp(path.join(tmpdir(), 'payment-pages-bench-'));
	try {
		const sandbox = await startSandbox();
		try {
			const n8n = await startN8n({
				userFolder,
				tarball,
				environment: {
					// A node that keeps n8n busy for 5 s would pass for a lost database otherwise.
					DB_PING_TIMEOUT_MS: '600000',
					...meter.environment,
					...environment,
				},
			});
			try {
				const client = new N8nClient(n8n.url);
				await client.signIn(owner);
				const credentials = await saveSandboxCredentials(client, sandbox);
				return await work({ n8n, client, meter, sandbox, credentials });
			} catch (error) {
				const lastLines = (await n8n.readLog()).trimEnd().split('\n').slice(-15);
				console.error(`The last lines of n8n's log:\n${lastLines.join('\n')}\n`);
				throw error;
			} finally {
				await n8n.stop();
			}
		} finally {
			await sandbox.stop();
		}
	} finally {
		await rm(userFolder, { recursive: true, force: true });
	}
}

/** The credential of a type, as a node of a workflow refers to it. */
export function credentialFor(
	credentials: readonly StoredCredential[],
	type: string,
): Record<string, { id: string; name: string }> {
	const found = credentials.find((credential) => credential.type === type);
	if (found === undefined) throw new Error(`There is no credential of the type ${type}.`);
	return { [type]: { id: found.id, name: found.name } };
}
