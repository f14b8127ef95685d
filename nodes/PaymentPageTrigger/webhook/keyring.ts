import type { IWebhookFunctions } from 'n8n-workflow';

import { apiKeyCredential } from '../../shared/credential';
import { LimitedMap } from '../limitedMap';
import { describeError } from '../registration/hookError';
import { recordedKeys } from '../registration/record';
import { readTriggerCredential } from '../registration/triggerCredential';
import type { WebhookKeys } from '../secrets';
import type { TriggerNode } from '../triggerNode';

/** Milliseconds for which a credential's keys are kept. */
const keptFor = 1_000;

/** Promises, not values: of many requests that arrive at once, only one reads the credential. */
const kept = new LimitedMap<string, { keys: Promise<WebhookKeys[]>; readAt: number }>(1_000);

async function readCredentialKeys(node: IWebhookFunctions): Promise<WebhookKeys[]> {
	try {
		return [(await readTriggerCredential(node)).keys];
	} catch (error) {
		node.logger.warn(
			`Payment Page Trigger: the credential could not be read, so events signed with its secret are rejected. ${describeError(error)}`,
		);
		return [];
	}
}

/** The keys with which an event may be proved. */
export interface Keyring {
	/** Those with which the address was registered: the usual case, and at hand. */
	registered: WebhookKeys[];
	/**
	 * Those of the credential, which may have changed since the registration. Reading a credential is
	 * costly, so it is read at most once a second: a flood of forgeries must not cost more than a flood
	 * of payments.
	 */
	readCredential: () => Promise<WebhookKeys[]>;
}

/** @param token the token that came with the request */
export function keyringOf(
	node: IWebhookFunctions,
	{ identity, staticData }: TriggerNode,
	token: string | undefined,
): Keyring {
	// The draft that a test runs may have another credential than the published workflow.
	const key = `${identity} ${node.getNode().credentials?.[apiKeyCredential]?.id ?? ''}`;
	const readCredential = async () => {
		const now = Date.now();
		let known = kept.get(key);
		if (known === undefined || now - known.readAt >= keptFor) {
			known = { keys: readCredentialKeys(node), readAt: now };
			kept.set(key, known);
		}
		return await known.keys;
	};
	return { registered: recordedKeys(staticData, token), readCredential };
}
