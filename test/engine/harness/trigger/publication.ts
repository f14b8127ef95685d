import { isDeepStrictEqual } from 'node:util';
import type {
	IDataObject,
	INode,
	IWebhookData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { copyOf, keyOf, type N8n } from './n8n';
import { createWebhook, deleteWebhook, webhooksOf, workflowOf } from './workflowOf';

export interface PublishOptions {
	/** What the hooks are told; n8n says `activate` the first time, and `update` after a change. */
	activation?: WorkflowActivateMode;
	/** How often a failing registration is tried: n8n does so five times, with waits. */
	tries?: number;
}

/**
 * Publishes a version of a workflow, as n8n's publication service (the default since 2.x) does: the
 * hooks of the old version end its registrations, unless nothing changed, and then the new version
 * registers. Both work on the static data as it was at the beginning.
 */
export async function publish(
	n8n: N8n,
	workflowId: string,
	version: INode,
	{ activation, tries = 1 }: PublishOptions,
): Promise<void> {
	const old = n8n.published.get(workflowId);
	const staticData = n8n.readStaticData(workflowId);
	const isChanged = old !== undefined && !isDeepStrictEqual(old, version);
	if (isChanged) await tearDown(n8n, workflowId, old, staticData);
	// From here on production runs the new version, also while it is being registered.
	n8n.published.set(workflowId, copyOf(version));
	const workflow = workflowOf(n8n.main, workflowId, version, { active: true, staticData });
	const webhooks = webhooksOf(n8n, workflow);
	if (webhooks.every((webhook) => n8n.rows.has(keyOf(webhook)))) return;
	const mode = activation ?? (old === undefined ? 'activate' : 'update');
	try {
		for (const webhook of webhooks) await register(n8n, workflow, webhook, mode, tries);
	} finally {
		n8n.saveStaticData(workflow);
	}
}

export async function unpublish(n8n: N8n, workflowId: string): Promise<void> {
	const old = n8n.published.get(workflowId);
	if (old === undefined) return;
	await tearDown(n8n, workflowId, old, n8n.readStaticData(workflowId));
	n8n.published.delete(workflowId);
}

/** The address answers before `create` runs, for this webhook, and not yet for the ones after it. */
async function register(
	n8n: N8n,
	workflow: Workflow,
	webhook: IWebhookData,
	activation: WorkflowActivateMode,
	tries: number,
): Promise<void> {
	if (!n8n.rows.has(keyOf(webhook))) n8n.rows.set(keyOf(webhook), workflow.id);
	try {
		await createWebhook(workflow, webhook, 'trigger', activation);
	} catch (error) {
		// All addresses of the node go after each try that failed, also those of webhooks that were
		// registered before this one, and a later try that succeeds does not bring them back.
		await deleteWebhook(workflow, webhook).then(
			() => {
				n8n.saveStaticData(workflow);
				n8n.removeRows(workflow.id);
			},
			(failure: unknown) => n8n.hookFailures.push(failure),
		);
		if (tries <= 1) throw error;
		await register(n8n, workflow, webhook, activation, tries - 1);
	}
}

/** The addresses are gone before `delete` runs; the hooks of all webhooks run at once. */
async function tearDown(
	n8n: N8n,
	workflowId: string,
	version: INode,
	staticData: IDataObject,
): Promise<void> {
	n8n.removeRows(workflowId);
	const workflow = workflowOf(n8n.main, workflowId, version, { active: true, staticData });
	const ends = webhooksOf(n8n, workflow).map((webhook) => deleteWebhook(workflow, webhook));
	for (const end of await Promise.allSettled(ends)) {
		if (end.status === 'rejected') n8n.hookFailures.push(end.reason);
	}
	n8n.saveStaticData(workflow);
}
