import type { INode } from 'n8n-workflow';
import { type Contestant, publishContestants } from '../events/contestants';
import { signatureOf } from '../events/event';
import type { GitHubApi } from '../events/gitHubApi';
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
	{ workflowId, url }: Contestant,
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
	const { webhook, gitHub, signed } = await publishContestants(bed, gitHubApi, parameters);
	const secret = bed.sandbox.state.registration?.secret;
	const gitHubSecret = gitHubApi.hook()?.secret;
	if (secret === undefined || gitHubSecret === undefined) throw new Error('A secret is missing.');
	const plain: Target = { ...webhook, verifies: false, headers: () => ({}) };
	return {
		ours: verifying(
			'Payment Page Trigger',
			signed,
			'x-webhook-signature',
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
