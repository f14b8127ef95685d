import { waitFor, type WaitOptions } from '../shared/waitFor';
import { type Execution, isStored, type RawExecution, unpackExecution } from './execution';
import { release } from './installation';
import { N8nRequestError, N8nSession } from './session';
import type {
	CredentialContent,
	CredentialTestResult,
	ExecutionSummary,
	Owner,
	PublicationStatus,
	StoredCredential,
	StoredWorkflow,
	WorkflowContent,
} from './types';

type Wait = Omit<WaitOptions, 'what'>;

/** The states of an execution that change no more. */
const executionEnds = ['success', 'error', 'crashed', 'canceled'];

/** n8n's REST API, as far as start, tests and benchmarks need it. Sign in first. */
export class N8nClient {
	readonly session: N8nSession;

	constructor(readonly url: string) {
		this.session = new N8nSession(url);
	}

	/** Signs in as the owner, after making the owner's account on an n8n that has none. */
	async signIn(owner: Owner): Promise<void> {
		type Settings = { userManagement: { showSetupOnFirstLoad?: boolean } };
		const { userManagement } = await this.session.request<Settings>('get', '/settings');
		if (userManagement.showSetupOnFirstLoad) {
			await this.session.request('post', '/owner/setup', owner);
		}
		await this.logIn(owner);
	}

	/** Signs in to an n8n that has this owner. */
	async logIn({ email, password }: Owner): Promise<void> {
		await this.session.request('post', '/login', { emailOrLdapLoginId: email, password });
	}

	/** The project into which the signed-in person's workflows go. */
	async personalProjectId(): Promise<string> {
		return (await this.session.request<{ id: string }>('get', '/projects/personal')).id;
	}

	async listCredentials(): Promise<StoredCredential[]> {
		return this.session.request('get', '/credentials');
	}

	async createCredential(credential: CredentialContent): Promise<StoredCredential> {
		return this.session.request('post', '/credentials', credential);
	}

	/** Creates the credential, or updates the one that has its name and type. */
	async saveCredential(credential: CredentialContent): Promise<StoredCredential> {
		const isSame = ({ name, type }: StoredCredential) =>
			name === credential.name && type === credential.type;
		const found = (await this.listCredentials()).find(isSame);
		if (!found) return this.createCredential(credential);
		return this.session.request('patch', `/credentials/${found.id}`, credential);
	}

	async deleteCredential(id: string): Promise<void> {
		await this.session.request('delete', `/credentials/${id}`);
	}

	/** Does what the editor does after "Save": tests a stored credential, with these values. */
	async testCredential(id: string, credential: CredentialContent): Promise<CredentialTestResult> {
		const credentials = { id, ...credential };
		return this.session.request('post', '/credentials/test', { credentials });
	}

	async listWorkflows(): Promise<Array<Pick<StoredWorkflow, 'id' | 'name' | 'active'>>> {
		return this.session.request('get', '/workflows', undefined, { take: 250 });
	}

	async createWorkflow(workflow: WorkflowContent): Promise<StoredWorkflow> {
		// Older versions ask for `active`.
		return this.session.request('post', '/workflows', { active: false, ...workflow });
	}

	async getWorkflow(id: string): Promise<StoredWorkflow> {
		return this.session.request('get', `/workflows/${id}`);
	}

	async updateWorkflow(id: string, changes: Partial<WorkflowContent>): Promise<StoredWorkflow> {
		const { versionId } = await this.getWorkflow(id);
		return this.session.request('patch', `/workflows/${id}`, { ...changes, versionId });
	}

	async deleteWorkflow(id: string): Promise<void> {
		await this.session.request('post', `/workflows/${id}/archive`, {});
		await this.session.request('delete', `/workflows/${id}`);
	}

	/** Starts a workflow by hand; gives the execution's ID, if the trigger does not listen instead. */
	async startRun(
		workflowId: string,
		triggerName: string,
		more: object = {},
	): Promise<string | undefined> {
		const body = { triggerToStartFrom: { name: triggerName }, ...more };
		const content = release.runsStoredWorkflow ? {} : await this.editorContent(workflowId);
		const url = `/workflows/${workflowId}/run`;
		type Answer = { executionId?: string };
		return (await this.session.request<Answer>('post', url, { ...content, ...body })).executionId;
	}

	/** A workflow as the editor has it: without what nodes keep between executions. */
	private async editorContent(workflowId: string): Promise<{ workflowData: object }> {
		const { id, versionId, active, name, nodes, connections, settings } =
			await this.getWorkflow(workflowId);
		return { workflowData: { id, versionId, active, name, nodes, connections, settings } };
	}

	/** Starts a workflow by hand and waits for its end; a failed execution is given as it is. */
	async run(workflowId: string, triggerName = 'Manual Trigger', wait?: Wait): Promise<Execution> {
		const executionId = await this.startRun(workflowId, triggerName);
		if (executionId === undefined) throw new Error(`${triggerName} waits for an event.`);
		return this.waitForExecution(workflowId, executionId, wait);
	}

	/** Ends listening for a test event. */
	async cancelTestListen(workflowId: string): Promise<void> {
		await this.session.request('delete', `/test-webhook/${workflowId}`);
	}

	/** Switches a workflow's triggers on, and gives how that ended; it does not throw for a failure. */
	async activate(id: string, timeoutMilliseconds = 60_000): Promise<PublicationStatus> {
		const { versionId } = await this.getWorkflow(id);
		try {
			await this.session.request('post', `/workflows/${id}/activate`, { versionId });
		} catch (error) {
			const isTried = !release.publishesInBackground && error instanceof N8nRequestError;
			if (!isTried || error.status !== 400) throw error;
			return { status: 'failed', triggers: [{ errorMessage: error.reason }] };
		}
		// From here on, `not_published` can only be what was before.
		return this.untilPublication(id, (status) => status !== 'not_published', timeoutMilliseconds);
	}

	/** Switches a workflow's triggers off and waits until n8n has done so. */
	async deactivate(id: string): Promise<void> {
		await this.session.request('post', `/workflows/${id}/deactivate`, {});
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
		const what = `the triggers of workflow ${id} to be switched`;
		return waitFor(
			async () => {
				if ((await this.publicationStatus(id)).status === 'in_progress') return false;
				const found = await this.publicationStatus(id);
				return found.status !== 'in_progress' && isWanted(found.status) && found;
			},
			{ what, timeoutMilliseconds },
		);
	}

	/** What n8n says of a workflow's triggers. */
	async publicationStatus(id: string): Promise<PublicationStatus> {
		if (release.publishesInBackground) {
			return this.session.request('get', `/workflows/${id}/publication-status`);
		}
		const { active } = await this.getWorkflow(id);
		return { status: active ? 'published' : 'not_published', triggers: [] };
	}

	/** The executions of a workflow, the newest first, without their data. */
	async listExecutions(workflowId: string, limit = 100): Promise<ExecutionSummary[]> {
		type Page = { results: ExecutionSummary[] };
		const query = { filter: JSON.stringify({ workflowId }), limit };
		const { results } = await this.session.request<Page>('get', '/executions', undefined, query);
		// One that ends while n8n looks for those under way and those that have ended is there twice.
		return [...new Map(results.map((execution) => [execution.id, execution])).values()];
	}

	/** An execution as far as it has come; of one that has ended, all of it. */
	async getExecution(id: string): Promise<Execution> {
		return waitFor(
			async () => {
				const raw = await this.session.request<RawExecution>('get', `/executions/${id}`);
				const execution = await unpackExecution(raw);
				return (!release.storesDataLast || isStored(execution)) && execution;
			},
			{ what: `the data of execution ${id} to be stored` },
		);
	}

	/** Does what the stop button does. */
	async stopExecution(id: string): Promise<void> {
		await this.session.request('post', `/executions/${id}/stop`);
	}

	async waitForExecution(
		workflowId: string,
		id: string,
		{ timeoutMilliseconds = 120_000, intervalMilliseconds = 200 }: Wait = {},
	): Promise<Execution> {
		await waitFor(
			async () => {
				// Without its data: n8n would pack all that there is so far, each time.
				const all = await this.listExecutions(workflowId);
				return all.some((each) => each.id === id && executionEnds.includes(each.status));
			},
			{ what: `execution ${id} to end`, timeoutMilliseconds, intervalMilliseconds },
		);
		return this.getExecution(id);
	}
}
