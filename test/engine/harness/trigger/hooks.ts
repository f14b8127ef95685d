import { isDeepStrictEqual } from 'node:util';
import { HookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	IWebhookData,
	WebhookSetupMethodNames,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { listenTo } from './log';
import type { N8n, TestAddress } from './n8n';
import { copyOf, keyOf, triggerOf, webhooksOf, workflowOf } from './workflowOf';

export interface PublishOptions {
	activation?: WorkflowActivateMode; // by itself `activate`, and `update` after a change
	tries?: number; // of a registration that fails: n8n's are five, with waits
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
		await create(workflow, webhook, 'trigger', activation);
	} catch (error) {
		// All addresses of the node go after each try that failed, also those of webhooks that were
		// registered before this one, and a later try that succeeds does not bring them back.
		try {
			await end(workflow, webhook);
			n8n.saveStaticData(workflow);
			n8n.removeRows(workflow.id);
		} catch (failure) {
			n8n.hookFailures.push(failure);
		}
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
	const ends = webhooksOf(n8n, workflow).map(async (webhook) => {
		await end(workflow, webhook).catch((failure: unknown) => n8n.hookFailures.push(failure));
	});
	await Promise.all(ends);
	n8n.saveStaticData(workflow);
}

/** A test runs on a workflow that is not active and has no static data, published or not. */
export const draftOf = (n8n: N8n, workflowId: string, node: INode) =>
	workflowOf(n8n.main, workflowId, node, { active: false, staticData: {} });

export async function listen(n8n: N8n, workflowId: string, node: INode): Promise<void> {
	const workflow = draftOf(n8n, workflowId, node);
	for (const webhook of webhooksOf(n8n, workflow)) {
		webhook.isTest = true;
		const address: TestAddress = { webhook, node: copyOf(node) };
		n8n.tests.set(keyOf(webhook), address);
		try {
			await create(workflow, webhook, 'manual', 'manual');
		} catch (error) {
			await endListen(n8n, workflow);
			throw error;
		}
		address.staticData = copyOf(workflow.staticData);
	}
}

/** Each address goes when its `delete` is through; n8n goes on to the next only then. */
export async function endListen(n8n: N8n, workflow: Workflow): Promise<void> {
	for (const address of n8n.testsOf(workflow.id)) {
		if (address.staticData) workflow.staticData = copyOf(address.staticData);
		await end(workflow, address.webhook);
		n8n.tests.delete(keyOf(address.webhook));
	}
}

type Modes = [WorkflowExecuteMode, WorkflowActivateMode];

/** Calls a hook of the node if there is one for this webhook. */
async function call(
	method: WebhookSetupMethodNames,
	workflow: Workflow,
	webhook: IWebhookData,
	...modes: Modes
): Promise<boolean | undefined> {
	const node = triggerOf(workflow);
	const { webhookMethods } = workflow.nodeTypes.getByNameAndVersion(node.type);
	const { workflowExecuteAdditionalData: data, webhookDescription } = webhook;
	const context = new HookContext(workflow, node, data, ...modes, webhook);
	listenTo(context.logger);
	return await webhookMethods?.[webhookDescription.name]?.[method].call(context);
}

async function create(workflow: Workflow, webhook: IWebhookData, ...modes: Modes): Promise<void> {
	const exists = await call('checkExists', workflow, webhook, ...modes);
	if (exists !== true) await call('create', workflow, webhook, ...modes);
}

/** At the end of a test n8n gives the same mode and activation as at the end of a publication. */
async function end(workflow: Workflow, webhook: IWebhookData): Promise<void> {
	await call('delete', workflow, webhook, 'internal', 'update');
}
