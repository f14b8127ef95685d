import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { waitFor } from '../../scripts/shared/waitFor';
import { type Bench as WholeBench, credentialFor } from '../shared/bench';
import { signatureHeader, signatureOf } from '../shared/event';
import {
	paymentPageTrigger,
	publish,
	registrationAt,
	storeTrigger,
	webhookNode,
} from '../shared/triggerWorkflow';
import type { GitHubApi } from './gitHubApi';

type Bench = Pick<WholeBench, 'client' | 'sandbox'>;

/** One way for an event to reach n8n. */
export interface Contestant {
	name: string;
	workflowId: string;
	url: string;
	headers: Record<string, string>;
	expectedStatus: number;
	startsExecutions: boolean;
}

export async function plainWebhook({ client }: Bench): Promise<Contestant> {
	const path = 'plain-webhook';
	const workflowId = await storeTrigger(client, webhookNode(path));
	await publish(client, workflowId);
	return {
		name: 'Webhook node',
		workflowId,
		url: `${client.url}/webhook/${path}`,
		headers: {},
		expectedStatus: 200,
		startsExecutions: true,
	};
}

export async function gitHubTrigger({ client }: Bench, gitHub: GitHubApi): Promise<Contestant> {
	const data: IDataObject = { server: gitHub.url, user: 'bench', accessToken: 'bench' };
	const credential = await client.createCredential({ name: 'GitHub', type: 'githubApi', data });
	const workflowId = await storeTrigger(client, {
		type: 'n8n-nodes-base.githubTrigger',
		typeVersion: 1,
		credentials: credentialFor([credential], 'githubApi'),
		parameters: {
			owner: { __rl: true, mode: 'list', value: 'bench' },
			repository: { __rl: true, mode: 'list', value: 'bench' },
			events: ['push'],
			options: {},
		},
	});
	await publish(client, workflowId);
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

async function publishOurs({ client }: Bench, sandbox: Sandbox) {
	const workflowId = await storeTrigger(client, await paymentPageTrigger(client, sandbox));
	await publish(client, workflowId);
	return { workflowId, ...(await registrationAt(sandbox)) };
}

/**
 * Once the trigger has received a signed event, it rejects events with the URL token alone, so those
 * get a workflow and a merchant of their own.
 */
async function paymentPageTriggers(bench: Bench, tokenMerchant: Sandbox) {
	const signed = await publishOurs(bench, bench.sandbox);
	const { workflowId, withoutToken: url } = signed;
	const token = await publishOurs(bench, tokenMerchant);
	const accepted = { expectedStatus: 200, startsExecutions: true };
	const rejected = { expectedStatus: 401, startsExecutions: false };
	const name = 'Payment Page Trigger';
	return {
		signed: {
			name: `${name}, signed`,
			workflowId,
			url,
			headers: { [signatureHeader]: signatureOf(signed.secret) },
			...accepted,
		},
		token: {
			name: `${name}, URL token`,
			workflowId: token.workflowId,
			url: token.withToken,
			headers: {},
			...accepted,
		},
		wrongSignature: {
			name: `${name}, forged: wrong signature`,
			workflowId,
			url,
			headers: { [signatureHeader]: signatureOf('not the secret') },
			...rejected,
		},
		noProof: { name: `${name}, forged: no proof`, workflowId, url, headers: {}, ...rejected },
	} satisfies Record<string, Contestant>;
}

/** Publishes a workflow for each trigger. */
export async function publishContestants(bench: Bench, gitHub: GitHubApi, tokenMerchant: Sandbox) {
	return {
		webhook: await plainWebhook(bench),
		gitHub: await gitHubTrigger(bench, gitHub),
		...(await paymentPageTriggers(bench, tokenMerchant)),
	};
}
