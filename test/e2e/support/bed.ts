import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Sandbox, type SettingsChange, startSandbox } from '../../../sandbox';
import { N8nClient } from '../../../scripts/localN8n/client';
import { saveSandboxCredentials } from '../../../scripts/localN8n/credentials';
import { withCredentials } from '../../../scripts/localN8n/examples';
import type { Execution } from '../../../scripts/localN8n/execution';
import type { N8nInstance } from '../../../scripts/localN8n/instance';
import type { WorkflowContent } from '../../../scripts/localN8n/types';
import { type QueueMode, startQueueMode } from '../../../scripts/queue/queueMode';
import { cleanUp } from './cleanUp';
import { owner, packedTarball, startPreparedN8n } from './preparedFolder';
import { sharedN8n } from './sharedN8n';

/** n8n's start alone can take a minute on a busy machine. */
export const startTimeout = 300_000;

interface BedOptions {
	sandbox?: SettingsChange;
}

interface TestBedOptions extends BedOptions {
	/** Settings of n8n, or what has to be started to know them. */
	environment?: Record<string, string> | (() => Promise<Record<string, string>>);
}

/** What tests do with an n8n, to which the client is signed in, and with a sandbox. */
export async function makeBed(client: N8nClient, sandbox: Sandbox) {
	const tables = await client.dataTables();
	const credentials = await saveSandboxCredentials(client, sandbox);
	/** Stores a workflow, with the credentials in the nodes of the package. */
	const save = (workflow: WorkflowContent) =>
		client.createWorkflow(withCredentials(workflow, credentials));
	/** Stores a workflow, runs it from its manual trigger, waits for the end and deletes it. */
	const run = async (workflow: WorkflowContent): Promise<Execution> => {
		const { id } = await save(workflow);
		const execution = await client.run(id);
		await client.deleteWorkflow(id);
		return execution;
	};
	return { client, sandbox, tables, credentials, save, run };
}

export type Bed = Awaited<ReturnType<typeof makeBed>>;

/** A bed on a new n8n that is one process. */
export type TestBed = Bed & { n8n: N8nInstance };

/** A bed on a new n8n in queue mode; its client talks to n8n through the reverse proxy. */
export type QueueBed = Bed & { queue: QueueMode };

/** A sandbox with a bed on the n8n at an address; a busy n8n gets the time that it needs to answer. */
async function bedAt(url: string, options: BedOptions): Promise<Bed> {
	const sandbox = await startSandbox({ deliveryTimeoutMilliseconds: 60_000, ...options.sandbox });
	cleanUp(() => sandbox.stop());
	const client = new N8nClient(url);
	await client.signIn(owner);
	return makeBed(client, sandbox);
}

/** Makes a bed before the first test of the file that calls it; it ends after the last one. */
function useBed<Made extends Bed>(make: () => Promise<Made>): () => Made {
	let bed: Made | undefined;
	beforeAll(async () => {
		bed = await make();
	}, startTimeout);
	return () => {
		if (!bed) throw new Error('The bed is there in tests and hooks only.');
		return bed;
	};
}

/** A new n8n for the file that calls it. */
export function useTestBed({ environment = {}, ...options }: TestBedOptions = {}): () => TestBed {
	return useBed(async () => {
		const settings = typeof environment === 'function' ? await environment() : environment;
		const n8n = await startPreparedN8n(settings);
		cleanUp(() => n8n.stop());
		return { ...(await bedAt(n8n.url, options)), n8n };
	});
}

/** Leaves n8n as it was found. */
async function clear({ client, tables }: Bed): Promise<void> {
	for (const { id, active } of await client.listWorkflows()) {
		if (active) await client.deactivate(id);
		await client.deleteWorkflow(id);
	}
	for (const { id } of await client.listCredentials()) await client.deleteCredential(id);
	await tables.delete();
}

/**
 * A shared n8n for the file that calls it, which neither restarts it nor has settings for it. Its log
 * has what other files did, too.
 */
export function useSharedBed(options: BedOptions = {}) {
	return useBed(async () => {
		const { url, userFolder } = await sharedN8n();
		const bed = await bedAt(url, options);
		cleanUp(() => clear(bed));
		const readLog = () => readFile(path.join(userFolder, 'n8n.log'), 'utf8');
		return { ...bed, n8n: { url, readLog } };
	});
}

/** A new n8n in queue mode for the file that calls it. */
export function useQueueBed(options: BedOptions = {}): () => QueueBed {
	return useBed(async () => {
		const queue = await startQueueMode({ tarball: packedTarball() });
		cleanUp(() => queue.stop());
		return { ...(await bedAt(queue.url, options)), queue };
	});
}
