import { waitFor } from '../shared/waitFor';
import { release } from './installation';
import { N8nRequestError, type N8nSession } from './session';
import type { StoredWorkflow } from './types';

/** How far n8n is with switching a workflow's triggers on. */
export interface PublicationStatus {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ errorMessage: string | null }>;
}

/** How a version of n8n switches the triggers of a workflow on and off; both wait until it has. */
interface Publication {
	publish(
		session: N8nSession,
		workflow: Pick<StoredWorkflow, 'id' | 'versionId'>,
		timeoutMilliseconds: number,
	): Promise<PublicationStatus>;
	unpublish(session: N8nSession, workflowId: string): Promise<void>;
	statusOf(session: N8nSession, workflowId: string): Promise<PublicationStatus>;
}

async function activate(
	session: N8nSession,
	{ id, versionId }: Pick<StoredWorkflow, 'id' | 'versionId'>,
): Promise<void> {
	await session.request('post', `/workflows/${id}/activate`, { versionId });
}

async function deactivate(session: N8nSession, workflowId: string): Promise<void> {
	await session.request('post', `/workflows/${workflowId}/deactivate`, {});
}

async function statusOf(session: N8nSession, workflowId: string): Promise<PublicationStatus> {
	return session.request('get', `/workflows/${workflowId}/publication-status`);
}

/**
 * The status once no publication is under way. n8n reads the publication and its triggers at the same
 * time but apart, so an answer can tell that the one is over and of the others what was before. The
 * next answer is from after it.
 */
async function statusAtRest(
	session: N8nSession,
	workflowId: string,
): Promise<PublicationStatus | undefined> {
	if ((await statusOf(session, workflowId)).status === 'in_progress') return undefined;
	const publication = await statusOf(session, workflowId);
	return publication.status === 'in_progress' ? undefined : publication;
}

const inBackground: Publication = {
	async publish(session, workflow, timeoutMilliseconds) {
		await activate(session, workflow);
		return waitFor(
			async () => {
				const publication = await statusAtRest(session, workflow.id);
				// From here on it can only be what was before.
				return publication?.status !== 'not_published' && publication;
			},
			{ what: `workflow ${workflow.id} to be published`, timeoutMilliseconds },
		);
	},
	async unpublish(session, workflowId) {
		await deactivate(session, workflowId);
		await waitFor(
			async () => (await statusAtRest(session, workflowId))?.status === 'not_published',
			{
				what: `workflow ${workflowId} to be unpublished`,
				timeoutMilliseconds: 60_000,
			},
		);
	},
	statusOf,
};

const beforeAnswering: Publication = {
	async publish(session, workflow) {
		try {
			await activate(session, workflow);
			return { status: 'published', triggers: [] };
		} catch (error) {
			if (!(error instanceof N8nRequestError && error.status === 400)) throw error;
			return { status: 'failed', triggers: [{ errorMessage: error.reason }] };
		}
	},
	unpublish: deactivate,
	async statusOf(session, workflowId) {
		const { active } = await session.request<StoredWorkflow>('get', `/workflows/${workflowId}`);
		return { status: active ? 'published' : 'not_published', triggers: [] };
	},
};

export const publication = release.publishesInBackground ? inBackground : beforeAnswering;
