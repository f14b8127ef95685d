import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startSandbox } from '../../../sandbox';
import { N8nClient } from '../../../scripts/localN8n/client';
import { owner } from './preparedFolder';
import { borrowN8n } from './sharedN8n';
import { type Bed, makeBed, startTimeout, type TestBedOptions } from './testBed';

/** A bed on an n8n that other test files use before and after. */
export interface SharedBed extends Bed {
	n8n: {
		url: string;
		/** All that it logged, also for the files before. */
		readLog(): Promise<string>;
	};
}

/** Leaves n8n as it was found. */
async function clear({ client, tables }: Bed): Promise<void> {
	for (const { id, active } of await client.listWorkflows()) {
		if (active) await client.deactivate(id);
		await client.deleteWorkflow(id);
	}
	for (const { id } of await client.listCredentials()) await client.deleteCredential(id);
	await tables.deleteAll();
}

/**
 * Gives the test file that calls it an n8n, a sandbox of its own and credentials for it, from before
 * its first to after its last test. A file that restarts n8n or has settings for it needs `useTestBed`.
 *
 * @returns A function that gives the bed inside tests and hooks.
 */
export function useSharedBed({
	sandbox: settings,
	webhookSecret,
}: Omit<TestBedOptions, 'environment'> = {}): () => SharedBed {
	const cleanUp: Array<() => unknown> = [];
	let bed: SharedBed | undefined;
	beforeAll(async () => {
		const { url, userFolder, giveBack } = await borrowN8n();
		cleanUp.push(giveBack);
		const sandbox = await startSandbox(settings);
		cleanUp.push(() => sandbox.stop());
		const client = new N8nClient(url);
		await client.logIn(owner);
		const made = await makeBed(
			client,
			sandbox,
			webhookSecret === undefined ? {} : { webhookSecret },
		);
		cleanUp.push(() => clear(made));
		bed = {
			...made,
			n8n: { url, readLog: () => readFile(path.join(userFolder, 'n8n.log'), 'utf8') },
		};
	}, startTimeout);
	afterAll(async () => {
		while (cleanUp.length > 0) await cleanUp.pop()?.();
	}, 120_000);
	return () => {
		if (!bed) throw new Error('The bed is there in tests and hooks only.');
		return bed;
	};
}
