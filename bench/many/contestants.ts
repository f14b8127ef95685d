import { startSandbox } from '../../sandbox';
import type { Bench } from '../shared/bench';
import { signatureHeader, signatureOf } from '../shared/event';
import {
	paymentPageTrigger,
	registrationAt,
	storeTrigger,
	webhookNode,
} from '../shared/triggerWorkflow';

/** A workflow that an event of its own starts. */
export interface Receiver {
	workflowId: string;
	/** Where the event goes, once the workflow is published. */
	address: () => Promise<{ url: string; headers: Record<string, string> }>;
	/** Called at the end. */
	stop: () => Promise<void>;
}

export interface Contestant {
	name: string;
	/** Stores a workflow; the number tells one from another. */
	store: (bench: Bench, number: number) => Promise<Receiver>;
}

export const plain: Contestant = {
	name: 'Webhook node',
	async store({ client }, number) {
		const path = `plain-webhook-${number}`;
		return {
			workflowId: await storeTrigger(client, webhookNode(path)),
			address: async () => ({ url: `${client.url}/webhook/${path}`, headers: {} }),
			stop: async () => undefined,
		};
	},
};

/** Each workflow has a credential of its own, for a merchant of its own. */
export const ours: Contestant = {
	name: 'Payment Page Trigger',
	async store({ client }, number) {
		const sandbox = await startSandbox({ merchantId: String(number) });
		return {
			workflowId: await storeTrigger(client, await paymentPageTrigger(client, sandbox)),
			async address() {
				const { withoutToken, secret } = await registrationAt(sandbox);
				return { url: withoutToken, headers: { [signatureHeader]: signatureOf(secret) } };
			},
			stop: () => sandbox.stop(),
		};
	},
};
