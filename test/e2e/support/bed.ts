import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SettingsChange } from '../../../sandbox';
import { makeBed } from '../../../scripts/localN8n/bed';
import { withCredentials } from '../../../scripts/localN8n/examples';
import type { Execution } from '../../../scripts/localN8n/execution';
import type { WorkflowContent } from '../../../scripts/localN8n/types';
import { startQueueMode } from '../../../scripts/queue/queueMode';
import { cleanUp } from '../../support/cleanUp';
import { packedTarball, startPreparedN8n } from './preparedFolder';
import { sharedN8n } from './sharedN8n';

/** n8n's start alone can take a minute on a busy machine. */
export const startTimeout = 300_000;

/** What tests do with a started n8n and a sandbox; a busy n8n gets the time that it needs to answer. */
export async function bedAt(url: string, settings: SettingsChange = {}) {
	const made = await makeBed(url, { deliveryTimeoutMilliseconds: 60_000, ...settings });
	const { client, sandbox, credentials } = made;
	cleanUp(() => sandbox.stop());
	const tables = await client.dataTables();
	/** Stores a workflow, with the credentials in the nodes of the package. */
	const save = (workflow: WorkflowContent) =>
		client.createWorkflow(withCredentials(workflow, credentials));
	/** Stores and publishes it; gives its ID. */
	const publish = async (workflow: WorkflowContent): Promise<string> => {
		const { id } = await save(workflow);
		const { status } = await client.activate(id);
		if (status !== 'published') throw new Error(`${workflow.name}: ${status}`);
		return id;
	};
	/** Stores a workflow, runs it from its manual trigger, waits for the end and deletes it. */
	const run = async (workflow: WorkflowContent): Promise<Execution> => {
		const { id } = await save(workflow);
		const execution = await client.run(id);
		await client.deleteWorkflow(id);
		return execution;
	};
	return { client, sandbox, tables, credentials, save, publish, run };
}

export type Bed = Awaited<ReturnType<typeof bedAt>>;

/** A bed on what is started before the first test of the file that calls it. */
function useBed<Started extends { url: string }>(
	start: () => Promise<Started>,
	settings?: SettingsChange,
): () => Bed & Started {
	let bed: (Bed & Started) | undefined;
	beforeAll(async () => {
		const started = await start();
		bed = { ...(await bedAt(started.url, settings)), ...started };
	}, startTimeout);
	return () => {
		if (!bed) throw new Error('The bed is there in tests and hooks only.');
		return bed;
	};
}

interface BedOptions {
	sandbox?: SettingsChange;
	/** Settings of n8n. */
	environment?: Record<string, string>;
}

/** A new n8n for the file that calls it. */
export function useTestBed({ environment = {}, sandbox }: BedOptions = {}) {
	return useBed(async () => {
		const n8n = await startPreparedN8n(environment);
		cleanUp(() => n8n.stop());
		return { url: n8n.url, n8n };
	}, sandbox);
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
export function useSharedBed({ sandbox }: Pick<BedOptions, 'sandbox'> = {}) {
	const bed = useBed(async () => {
		const { url, userFolder } = await sharedN8n();
		const readLog = () => readFile(path.join(userFolder, 'n8n.log'), 'utf8');
		return { url, n8n: { url, readLog } };
	}, sandbox);
	beforeAll(() => cleanUp(() => clear(bed())));
	return bed;
}

/** A new n8n in queue mode for the file that calls it; the client talks to it through the proxy. */
export function useQueueBed({ sandbox }: Pick<BedOptions, 'sandbox'> = {}) {
	return useBed(async () => {
		const queue = await startQueueMode({ tarball: packedTarball() });
		cleanUp(() => queue.stop());
		return { url: queue.url, queue };
	}, sandbox);
}
