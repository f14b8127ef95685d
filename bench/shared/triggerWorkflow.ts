import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import type { N8nClient } from '../../scripts/localN8n/client';
import { sandboxCredentials } from '../../scripts/localN8n/credentials';
import { waitFor } from '../../scripts/shared/waitFor';
import { credentialFor } from './bench';

/** A trigger, as the node of a workflow. */
type TriggerNode = Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;

export function webhookNode(path: string): TriggerNode {
	return {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
}

/** The Payment Page Trigger with a credential of its own for the sandbox's merchant. */
export async function paymentPageTrigger(
	client: N8nClient,
	sandbox: Sandbox,
): Promise<TriggerNode> {
	const { merchantId } = sandbox.settings;
	const credentials = await Promise.all(
		sandboxCredentials(sandbox).map((content) =>
			client.createCredential({ ...content, name: `${content.name}, merchant ${merchantId}` }),
		),
	);
	return {
		type: 'n8n-nodes-payment-pages.paymentPageTrigger',
		typeVersion: 2,
		parameters: {},
		credentials: credentialFor(credentials, 'paymentPagesApiKeyApi'),
	};
}

/** What a published Payment Page Trigger has registered at the sandbox. */
export async function registrationAt({ state }: Sandbox) {
	const { webhookUrl, secret } = await waitFor(() => state.registration ?? undefined, {
		what: 'the Payment Page Trigger to register',
	});
	const url = new URL(webhookUrl);
	url.search = '';
	return { withToken: webhookUrl, withoutToken: url.href, secret };
}

/** Stores a workflow that consists of the trigger alone; gives its id. */
export async function storeTrigger(client: N8nClient, trigger: TriggerNode): Promise<string> {
	const node: INode = {
		id: randomUUID(),
		name: 'Trigger',
		position: [0, 0],
		webhookId: randomUUID(),
		...trigger,
	};
	const { id } = await client.createWorkflow({
		name: trigger.type,
		nodes: [node],
		connections: {},
		settings: { executionOrder: 'v1' },
	});
	return id;
}

/** Publishes a workflow, which must succeed. */
export async function publish(client: N8nClient, workflowId: string): Promise<void> {
	const { status, triggers } = await client.activate(workflowId);
	if (status === 'published') return;
	const reason = triggers.map(({ errorMessage }) => errorMessage).find(Boolean);
	throw new Error(`Workflow ${workflowId} was not published: ${reason ?? status}`);
}
