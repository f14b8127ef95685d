import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Sandbox, type SettingsChange, startSandbox } from '../../../sandbox';
import { N8nClient } from '../../../scripts/localN8n/client';
import { saveSandboxCredentials } from '../../../scripts/localN8n/credentials';
import type { DataTables } from '../../../scripts/localN8n/dataTables';
import { withCredentials } from '../../../scripts/localN8n/examples';
import type { Execution } from '../../../scripts/localN8n/execution';
import type { N8nInstance } from '../../../scripts/localN8n/instance';
import type {
	StoredCredential,
	StoredWorkflow,
	WorkflowContent,
} from '../../../scripts/localN8n/types';
import { type QueueMode, startQueueMode } from '../../../scripts/queue/queueMode';
import { cleanUp } from './cleanUp';
import { owner, packedTarball, startPreparedN8n } from './preparedFolder';
import { borrowN8n } from './sharedN8n';

/** n8n's start alone can take a minute on a busy machine. */
export const startTimeout = 300_000;

export interface BedOptions {
	sandbox?: SettingsChange;
	/** Of the credential with the API key; derived unless told. */
	webhookSecret?: string;
}

/** Settings of n8n; only an n8n of one's own can have some. */
interface Environment {
	environment?: Record<string, string>;
}

/** An n8n with the packed package, signed in, and a sandbox with both credentials for it. */
export interface Bed {
	client: N8nClient;
	sandbox: Sandbox;
	tables: DataTables;
	credentials: StoredCredential[];
	/** Stores a workflow, with the credentials in the nodes of the package. */
	save(workflow: WorkflowContent): Promise<StoredWorkflow>;
	/** Stores a workflow, runs it from its manual trigger, waits for the end and deletes it. */
	run(workflow: WorkflowContent): Promise<Execution>;
}

/** A bed on a new n8n that is one process. */
export interface TestBed extends Bed {
	n8n: N8nInstance;
}

/** A bed on an n8n that other test files use before and after; its log has what they did, too. */
export interface SharedBed extends Bed {
	n8n: Pick<N8nInstance, 'url' | 'readLog'>;
}

/** A bed on a new n8n in queue mode; its client talks to n8n through the reverse proxy. */
export interface QueueBed extends Bed {
	queue: QueueMode;
}

/** Stores the credentials in an n8n, to which the client is signed in. */
export async function makeBed(
	client: N8nClient,
	sandbox: Sandbox,
	{ webhookSecret }: BedOptions = {},
): Promise<Bed> {
	const tables = await client.dataTables();
	const secret = webhookSecret === undefined ? {} : { webhookSecret };
	const credentials = await saveSandboxCredentials(client, sandbox, secret);
	const save = (workflow: WorkflowContent) =>
		client.createWorkflow(withCredentials(workflow, credentials));
	const run = async (workflow: WorkflowContent): Promise<Execution> => {
		const { id } = await save(workflow);
		const execution = await client.run(id);
		await client.deleteWorkflow(id);
		return execution;
	};
	return { client, sandbox, tables, credentials, save, run };
}

/** A sandbox with a bed on the n8n at an address; a busy n8n gets the time that it needs to answer. */
async function bedAt(url: string, options: BedOptions): Promise<Bed> {
	const sandbox = await startSandbox({ deliveryTimeoutMilliseconds: 60_000, ...options.sandbox });
	cleanUp(() => sandbox.stop());
	const client = new N8nClient(url);
	await client.signIn(owner);
	return makeBed(client, sandbox, options);
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
export function useTestBed({
	environment = {},
	...options
}: BedOptions & Environment = {}): () => TestBed {
	return useBed(async () => {
		const n8n = await startPreparedN8n(environment);
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

/** A shared n8n for the file that calls it, which neither restarts it nor has settings for it. */
export function useSharedBed(options: BedOptions = {}): () => SharedBed {
	return useBed(async () => {
		const { url, userFolder, giveBack } = await borrowN8n();
		cleanUp(async () => giveBack());
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
