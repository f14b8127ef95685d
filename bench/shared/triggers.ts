import { randomUUID } from 'node:crypto';
import type { IConnections, INode } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import type { N8nClient } from '../../scripts/localN8n/client';
import { sandboxCredentials } from '../../scripts/localN8n/credentials';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { waitFor } from '../../scripts/shared/waitFor';
import { signatureOf } from './events';
import type { Rig } from './rig';

/** A published workflow that events are sent to. */
export interface Receiver {
	name: string;
	workflowId: string;
	url: string;
	/** Headers of a genuine event with this body, or of one that was signed with another secret. */
	headers(body: string, secret?: string): Record<string, string>;
}

type TriggerNode = Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;

/** The credential of a type, as a node of a workflow refers to it. */
export function credentialFor(
	credentials: readonly StoredCredential[],
	type: string,
): NonNullable<INode['credentials']> {
	const found = credentials.find((credential) => credential.type === type);
	if (found === undefined) throw new Error(`There is no credential of the type ${type}.`);
	return { [type]: { id: found.id, name: found.name } };
}

/** Publishes the trigger with an execution that lasts so many seconds; gives the workflow's id. */
async function publish(client: N8nClient, trigger: TriggerNode, seconds: number): Promise<string> {
	const node = (name: string, part: TriggerNode): INode => ({
		id: randomUUID(),
		name,
		position: [0, 0],
		webhookId: randomUUID(),
		...part,
	});
	const nodes = [node('Trigger', trigger)];
	const connections: IConnections = {};
	if (seconds > 0) {
		const parameters = { amount: seconds, unit: 'seconds' };
		nodes.push(node('Wait', { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters }));
		connections.Trigger = { main: [[{ node: 'Wait', type: 'main', index: 0 }]] };
	}
	const settings = { executionOrder: 'v1' } as const;
	const { id } = await client.createWorkflow({ name: trigger.type, nodes, connections, settings });
	const { status, triggers } = await client.activate(id);
	if (status === 'published') return id;
	const reason = triggers.map(({ errorMessage }) => errorMessage).find(Boolean);
	throw new Error(`${trigger.type} was not published: ${reason ?? status}`);
}

/** n8n's own Webhook node, which verifies nothing. */
export async function webhookNode({ client }: Rig, seconds = 0): Promise<Receiver> {
	const path = 'plain-webhook';
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
	const trigger = { type: 'n8n-nodes-base.webhook', typeVersion: 2.1, parameters };
	return {
		name: 'Webhook node',
		workflowId: await publish(client, trigger, seconds),
		url: `${client.url}/webhook/${path}`,
		headers: () => ({}),
	};
}

/** The Payment Page Trigger with its own credential for the sandbox's merchant. */
export async function paymentPageTrigger(
	{ client }: Rig,
	sandbox: Sandbox,
	seconds = 0,
): Promise<{ signed: Receiver; byToken: Receiver }> {
	const credentials = await Promise.all(
		sandboxCredentials(sandbox).map((content) => client.createCredential(content)),
	);
	const trigger: TriggerNode = {
		type: 'n8n-nodes-payment-pages.paymentPageTrigger',
		typeVersion: 2,
		parameters: {},
		credentials: credentialFor(credentials, 'paymentPagesApiKeyApi'),
	};
	const workflowId = await publish(client, trigger, seconds);
	const { webhookUrl, secret } = await waitFor(() => sandbox.state.registration ?? undefined, {
		what: 'the Payment Page Trigger to register',
	});
	const url = new URL(webhookUrl);
	url.search = '';
	const name = 'Payment Page Trigger';
	return {
		signed: {
			name: `${name}, signed`,
			workflowId,
			url: url.href,
			headers: (body, key = secret) => ({ 'x-webhook-signature': signatureOf(key, body) }),
		},
		byToken: { name: `${name}, URL token`, workflowId, url: webhookUrl, headers: () => ({}) },
	};
}
