import type { INode } from 'n8n-workflow';
import { gitHubTrigger, plainWebhook } from '../events/contestants';
import type { GitHubApi } from '../events/gitHubApi';
import { signatureHeader, signatureOf } from '../shared/event';
import {
	paymentPageTrigger,
	publish,
	registrationAt,
	storeTrigger,
} from '../shared/triggerWorkflow';
import type { Bed } from './beds';
import { bodyOf, type FloodEvent, type Forgery } from './floodEvents';

/** A published workflow that a flood is sent to. */
export interface Target {
	name: string;
	workflowId: string;
	url: string;
	/** Whether it verifies events; otherwise it gets no forged ones. */
	verifies: boolean;
	/** The headers that an event is sent with. */
	headers(event: FloodEvent): Record<string, string>;
}

function proof(secret: string, { id, forgery }: FloodEvent): string | undefined {
	const proofs: Record<Forgery | 'genuine', () => string | undefined> = {
		genuine: () => signatureOf(secret, bodyOf(id)),
		'wrong signature': () => signatureOf('not the secret', bodyOf(id)),
		'no proof': () => undefined,
		'signature over another body': () => signatureOf(secret),
	};
	return proofs[forgery ?? 'genuine']();
}

function verifying(
	name: string,
	{ workflowId, url }: Pick<Target, 'workflowId' | 'url'>,
	header: string,
	toValue: (signature: string) => string,
	secret: string,
): Target {
	return {
		name,
		workflowId,
		url,
		verifies: true,
		headers(event) {
			const signature = proof(secret, event);
			return signature === undefined ? {} : { [header]: toValue(signature) };
		},
	};
}

/** Publishes a workflow for each trigger; the parameters are those of the Payment Page Trigger. */
export async function publishTargets(
	bed: Bed,
	gitHubApi: GitHubApi,
	parameters: INode['parameters'] = {},
) {
	const { client, sandbox } = bed;
	const webhook = await plainWebhook(bed);
	const gitHub = await gitHubTrigger(bed, gitHubApi);
	const gitHubSecret = gitHubApi.hook()?.secret ?? '';
	const trigger = { ...(await paymentPageTrigger(client, sandbox)), parameters };
	const workflowId = await storeTrigger(client, trigger);
	await publish(client, workflowId);
	const { withoutToken: url, secret } = await registrationAt(sandbox);
	const plain: Target = { ...webhook, verifies: false, headers: () => ({}) };
	return {
		ours: verifying(
			'Payment Page Trigger',
			{ workflowId, url },
			signatureHeader,
			(signature) => signature,
			secret,
		),
		webhook: plain,
		gitHub: verifying(
			'GitHub Trigger',
			gitHub,
			'x-hub-signature-256',
			(signature) => `sha256=${signature}`,
			gitHubSecret,
		),
	};
}
