import { waitFor, type WaitOptions } from '../shared/waitFor';
import { DataTables } from './dataTables';
import { type Execution, isStored } from './execution';
import { release } from './installation';
import { N8nRequestError, N8nSession } from './session';
import type {
	CredentialContent,
	ExecutionSummary,
	Owner,
	PublicationStatus,
	StoredCredential,
	StoredWorkflow,
	WorkflowContent,
} from './types';

type Wait = Omit<WaitOptions, 'what'>;

function isAnswer(error: unknown, status: number): error is N8nRequestError {
	return error instanceof N8nRequestError && error.status === status;
}

/** n8n's REST API, as far as start, tests and benchmarks need it. Sign in first. */
export class N8nClient extends N8nSession {
	/** Signs in as the owner, after making the owner's account on an n8n that has none. */
	async signIn(owner: Owner): Promise<void> {
		await this.request('post', '/owner/setup', owner).catch((error: unknown) => {
			if (!isAnswer(error, 400)) throw error;
		});
		const login = { emailOrLdapLoginId: owner.email, password: owner.password };
		await this.request('post', '/login', login);
	}

	/** The tables of the project into which the signed-in person's workflows go. */
	async dataTables(): Promise<DataTables> {
		const { id } = await this.request<{ id: string }>('get', '/projects/personal');
		return new DataTables(this, `/projects/${id}/data-tables`);
	}

	async listCredentials(): Promise<StoredCredential[]> {
		return this.request('get', '/credentials');
	}

	async createCredential(credential: CredentialContent): Promise<StoredCredential> {
		return this.request('post', '/credentials', credential);
	}

	/** Creates the credential, or updates the one that has its name and type. */
	async saveCredential(credential: CredentialContent): Promise<StoredCredential> {
		const { name, type } = credential;
		const all = await this.listCredentials();
		const found = all.find((each) => each.name === name && each.type === type);
		if (!found) return this.createCredential(credential);
		return this.request('patch', `/credentials/${found.id}`, credential);
	}

	async deleteCredential(id: string): Promise<void> {
		await this.request('delete', `/credentials/${id}`);
	}

	async listWorkflows(): Promise<Array<Pick<StoredWorkflow, 'id' | 'name' | 'active'>>> {
		return this.request('get', '/workflows', undefined, { take: 250 });
	}

	async createWorkflow(workflow: WorkflowContent): Promise<StoredWorkflow> {
		// Older versions ask for `active`.
		return this.request('post', '/workflows', { active: false, ...workflow });
	}

	async getWorkflow(id: string): Promise<StoredWorkflow> {
		return this.request('get', `/workflows/${id}`);
	}

	async updateWorkflow(id: string, changes: Partial<WorkflowContent>): Promise<StoredWorkflow> {
		const { versionId } = await this.getWorkflow(id);
		return this.request('patch', `/workflows/${id}`, { ...changes, versionId });
	}

	async deleteWorkflow(id: string): Promise<void> {
		await this.request('post', `/workflows/${id}/archive`, {});
		await this.request('delete', `/workflows/${id}`);
	}

	/** Starts a workflow by hand; gives the execution's ID, if the trigger does not listen instead. */
	async startRun(id: string, triggerName: string, more: object = {}): Promise<string | undefined> {
		const body = { triggerToStartFrom: { name: triggerName }, ...more };
		// An old n8n gets the workflow as the editor has it: without what nodes keep between executions.
		const stored = release.isOld ? await this.getWorkflow(id) : undefined;
		const workflowData = stored && { ...stored, staticData: undefined };
		const url = `/workflows/${id}/run`;
		type Answer = { executionId?: string };
		return (await this.request<Answer>('post', url, { workflowData, ...body })).executionId;
	}

	/** Starts a workflow by hand and waits for its end; a failed execution is given as it is. */
	async run(workflowId: string, triggerName = 'Manual Trigger', wait?: Wait): Promise<Execution> {
		const executionId = await this.startRun(workflowId, triggerName);
		if (executionId === undefined) throw new Error(`${triggerName} waits for an event.`);
		return this.waitForExecution(workflowId, executionId, wait);
	}

	/** Switches a workflow's triggers on, and gives how that ended; it does not throw for a failure. */
	async activate(id: string, timeoutMilliseconds?: number): Promise<PublicationStatus> {
		const { versionId } = await this.getWorkflow(id);
		try {
			await this.request('post', `/workflows/${id}/activate`, { versionId });
		} catch (error) {
			// An old n8n tries it before it answers.
			if (!release.isOld || !isAnswer(error, 400)) throw error;
			return { status: 'failed', triggers: [{ errorMessage: error.reason }] };
		}
		// From here on, `not_published` can only be what was before.
		return this.untilPublication(id, (status) => status !== 'not_published', timeoutMilliseconds);
	}

	/** Switches a workflow's triggers off and waits until n8n has done so. */
	async deactivate(id: string): Promise<void> {
		await this.request('post', `/workflows/${id}/deactivate`, {});
		await this.untilPublication(id, (status) => status === 'not_published');
	}

	/**
	 * Waits for a status that changes no more. n8n reads the publication and its triggers apart, so an
	 * answer can be of two moments; the next answer is from after the publication.
	 */
	private async untilPublication(
		id: string,
		isWanted: (status: PublicationStatus['status']) => boolean,
		timeoutMilliseconds = 60_000,
	): Promise<PublicationStatus> {
		const probe = async () => {
			if ((await this.publicationStatus(id)).status === 'in_progress') return false;
			const found = await this.publicationStatus(id);
			return found.status !== 'in_progress' && isWanted(found.status) && found;
		};
		return waitFor(probe, { what: `workflow ${id} to be switched`, timeoutMilliseconds });
	}

	/** What n8n says of a workflow's triggers. */
	async publicationStatus(id: string): Promise<PublicationStatus> {
		if (!release.isOld) return this.request('get', `/workflows/${id}/publication-status`);
		const { active } = await this.getWorkflow(id);
		return { status: active ? 'published' : 'not_published', triggers: [] };
	}

	/** The executions of a workflow, the newest first, without their data. */
	async listExecutions(workflowId: string, limit = 100): Promise<ExecutionSummary[]> {
		type Page = { results: ExecutionSummary[] };
		const query = { filter: JSON.stringify({ workflowId }), limit };
		const { results } = await this.request<Page>('get', '/executions', undefined, query);
		// One that ends while n8n looks for those under way and those that have ended is there twice.
		return [...new Map(results.map((execution) => [execution.id, execution])).values()];
	}

	/** An execution as far as it has come; of one that has ended, all of it. */
	async getExecution(id: string): Promise<Execution> {
		// An ES module, by its types.
		const { parse } = await import('flatted');
		type Packed = ExecutionSummary & { data: string };
		const probe = async () => {
			const packed = await this.request<Packed>('get', `/executions/${id}`);
			const execution = { ...packed, data: parse(packed.data) as Execution['data'] };
			// In an old n8n, it can have its last status before all of its data.
			return (!release.isOld || isStored(execution)) && execution;
		};
		return waitFor(probe, { what: `the data of execution ${id} to be stored` });
	}

	async stopExecution(id: string): Promise<void> {
		await this.request('post', `/executions/${id}/stop`);
	}

	async waitForExecution(workflowId: string, id: string, wait: Wait = {}): Promise<Execution> {
		const ends = ['success', 'error', 'crashed', 'canceled'];
		const hasEnded = async () => {
			// Without its data: n8n would pack all that there is so far, each time.
			const all = await this.listExecutions(workflowId);
			return all.some((each) => each.id === id && ends.includes(each.status));
		};
		const usual = { timeoutMilliseconds: 120_000, intervalMilliseconds: 200 };
		await waitFor(hasEnded, { what: `execution ${id} to end`, ...usual, ...wait });
		return this.getExecution(id);
	}
}
