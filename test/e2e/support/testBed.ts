import { type Sandbox, type SettingsChange, startSandbox } from '../../../sandbox';
import { N8nClient } from '../../../scripts/localN8n/client';
import { saveSandboxCredentials } from '../../../scripts/localN8n/credentials';
import { DataTables } from '../../../scripts/localN8n/dataTables';
import { withCredentials } from '../../../scripts/localN8n/examples';
import type { Execution } from '../../../scripts/localN8n/execution';
import type { N8nInstance } from '../../../scripts/localN8n/instance';
import type {
	StoredCredential,
	StoredWorkflow,
	WorkflowContent,
} from '../../../scripts/localN8n/types';
import { owner, startPreparedN8n } from './preparedFolder';

export interface TestBedOptions {
	sandbox?: SettingsChange;
	/** Settings of n8n, see `startN8n`. */
	environment?: Record<string, string>;
	/** Of the credential with the API key; derived unless told. */
	webhookSecret?: string;
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
	/** Ends both; does nothing the second time. */
	stop(): Promise<void>;
}

/** n8n's start alone can take a minute on a busy machine. */
export const startTimeout = 300_000;

/** Stores the credentials in a new n8n, to which the client is signed in. */
export async function makeBed(
	client: N8nClient,
	sandbox: Sandbox,
	{ webhookSecret }: Pick<TestBedOptions, 'webhookSecret'> = {},
): Promise<Bed> {
	const tables = new DataTables(client.session, await client.personalProjectId());
	const credentials = await saveSandboxCredentials(
		client,
		sandbox,
		webhookSecret === undefined ? {} : { webhookSecret },
	);
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

/** Starts a test bed; if that fails, nothing of it stays behind. `useTestBed` does this with hooks. */
export async function startTestBed(options: TestBedOptions = {}): Promise<TestBed> {
	const cleanUp: Array<() => Promise<unknown>> = [];
	const stop = async (): Promise<void> => {
		while (cleanUp.length > 0) await cleanUp.pop()?.();
	};
	try {
		const sandbox = await startSandbox(options.sandbox);
		cleanUp.push(() => sandbox.stop());
		const n8n = await startPreparedN8n(options.environment ?? {});
		cleanUp.push(() => n8n.stop());
		const client = new N8nClient(n8n.url);
		await client.logIn(owner);
		return { ...(await makeBed(client, sandbox, options)), n8n, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/**
 * Gives the test file that calls it a test bed from before its first to after its last test.
 * @returns A function that gives the bed inside tests and hooks.
 */
export function useTestBed(options: TestBedOptions = {}): () => TestBed {
	let bed: TestBed | undefined;
	beforeAll(async () => {
		bed = await startTestBed(options);
	}, startTimeout);
	afterAll(() => bed?.stop(), 60_000);
	return () => {
		if (!bed) throw new Error('The test bed is there in tests and hooks only.');
		return bed;
	};
}
