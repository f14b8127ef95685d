import { randomUUID } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import type { N8nClient } from '../../scripts/localN8n/client';
import { waitFor } from '../../scripts/shared/waitFor';
import { type Bench as WholeBench, credentialFor } from '../shared/bench';
import { signatureOf } from './event';
import type { GitHubApi } from './gitHubApi';

type Bench = Pick<WholeBench, 'client' | 'sandbox' | 'credentials'>;

/** One way for an event to reach n8n. */
export interface Contestant {
	name: string;
	workflowId: string;
	url: string;
	headers: Record<string, string>;
	expectedStatus: number;
	startsExecutions: boolean;
}

type TriggerNode = Pick<INode, 'type' | 'typeVersion'> & Partial<Pick<INode, 'credentials'>>;

/** Publishes a workflow that consists of the trigger alone. */
async function publish(
	client: N8nClient,
	trigger: TriggerNode,
	parameters: INode['parameters'],
): Promise<string> {
	const node: INode = {
		id: randomUUID(),
		name: 'Trigger',
		position: [0, 0],
		webhookId: randomUUID(),
		parameters,
		...trigger,
	};
	const { id } = await client.createWorkflow({
		name: trigger.type,
		nodes: [node],
		connections: {},
		settings: { executionOrder: 'v1' },
	});
	const { status, triggers } = await client.activate(id);
	if (status === 'published') return id;
	throw new Error(`${trigger.type} was not activated: ${triggers[0]?.errorMessage ?? status}`);
}

async function webhookNode({ client }: Bench): Promise<Contestant> {
	const path = 'plain-webhook';
	const workflowId = await publish(
		client,
		{ type: 'n8n-nodes-base.webhook', typeVersion: 2.1 },
		{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	);
	return {
		name: 'Webhook node',
		workflowId,
		url: `${client.url}/webhook/${path}`,
		headers: {},
		expectedStatus: 200,
		startsExecutions: true,
	};
}

async function gitHubTrigger({ client }: Bench, gitHub: GitHubApi): Promise<Contestant> {
	const data: IDataObject = { server: gitHub.url, user: 'bench', accessToken: 'bench' };
	const credential = await client.createCredential({ name: 'GitHub', type: 'githubApi', data });
	const workflowId = await publish(
		client,
		{
			type: 'n8n-nodes-base.githubTrigger',
			typeVersion: 1,
			credentials: credentialFor([credential], 'githubApi'),
		},
		{
			owner: { __rl: true, mode: 'list', value: 'bench' },
			repository: { __rl: true, mode: 'list', value: 'bench' },
			events: ['push'],
			options: {},
		},
	);
	const hook = await waitFor(() => gitHub.hook(), { what: 'the GitHub Trigger to register' });
	return {
		name: 'GitHub Trigger, signed',
		workflowId,
		url: hook.url,
		headers: { 'x-hub-signature-256': `sha256=${signatureOf(hook.secret)}` },
		expectedStatus: 200,
		startsExecutions: true,
	};
}

async function paymentPageTrigger(
	{ client, sandbox, credentials }: Bench,
	parameters: INode['parameters'],
) {
	const workflowId = await publish(
		client,
		{
			type: 'n8n-nodes-payment-pages.paymentPageTrigger',
			typeVersion: 2,
			credentials: credentialFor(credentials, 'paymentPagesApiKeyApi'),
		},
		parameters,
	);
	const registration = await waitFor(() => sandbox.state.registration ?? undefined, {
		what: 'the Payment Page Trigger to register',
	});
	const url = new URL(registration.webhookUrl);
	const withToken = url.href;
	url.search = '';
	const accepted = { workflowId, expectedStatus: 200, startsExecutions: true };
	const rejected = { workflowId, expectedStatus: 401, startsExecutions: false };
	const header = 'x-webhook-signature';
	const name = 'Payment Page Trigger';
	return {
		signed: {
			name: `${name}, signed`,
			url: url.href,
			headers: { [header]: signatureOf(registration.secret) },
			...accepted,
		},
		token: { name: `${name}, URL token`, url: withToken, headers: {}, ...accepted },
		wrongSignature: {
			name: `${name}, forged: wrong signature`,
			url: url.href,
			headers: { [header]: signatureOf('not the secret') },
			...rejected,
		},
		noProof: { name: `${name}, forged: no proof`, url: url.href, headers: {}, ...rejected },
	} satisfies Record<string, Contestant>;
}

/** Publishes a workflow for each trigger; the parameters are those of the Payment Page Trigger. */
export async function publishContestants(
	bench: Bench,
	gitHub: GitHubApi,
	parameters: INode['parameters'] = {},
) {
	return {
		webhook: await webhookNode(bench),
		gitHub: await gitHubTrigger(bench, gitHub),
		...(await paymentPageTrigger(bench, parameters)),
	};
}
