import type { IWebhookFunctions } from 'n8n-workflow';

import { apiKeyCredential } from '../../shared/credential';
import { nodeIdentity } from '../nodeIdentity';
import { readTriggerCredential } from '../registration/credential';
import { wordsOf } from '../registration/hookError';
import { recordedSecret } from '../registration/record';

/**
 * The secret with which the address was registered; the usual case, and cheap.
 *
 * @param urlToken the token that came with the event
 */
export function registeredSecrets(node: IWebhookFunctions, urlToken: unknown): string[] {
	const secret = recordedSecret(node.getWorkflowStaticData('node'), urlToken);
	return secret === undefined ? [] : [secret];
}

/** Milliseconds for which a credential's secret is kept. */
const keptFor = 1_000;

/** Promises, not values: of many requests that arrive at once, only one reads the credential. */
const kept = new Map<string, { secrets: Promise<string[]>; readAt: number }>();

/** So that workflows that are long gone do not add up. */
const mostKept = 100;

async function readCredentialSecrets(node: IWebhookFunctions): Promise<string[]> {
	try {
		return [(await readTriggerCredential(node)).webhookSecret];
	} catch (error) {
		node.logger.warn(
			`Payment Page Trigger: the credential could not be read, so events signed with its secret are rejected. ${wordsOf(error)}`,
		);
		return [];
	}
}

/**
 * The secret of the credential, which may have changed since the registration. Reading a credential
 * is dear, so it is read at most once a second: a flood of forgeries must not be dearer than a
 * flood of payments.
 */
export async function credentialSecrets(node: IWebhookFunctions): Promise<string[]> {
	// The draft that a test runs may have another credential than the published workflow.
	const key = `${nodeIdentity(node)} ${node.getNode().credentials?.[apiKeyCredential]?.id ?? ''}`;
	const now = Date.now();
	let known = kept.get(key);
	if (known === undefined || now - known.readAt >= keptFor) {
		if (kept.size >= mostKept) kept.clear();
		known = { secrets: readCredentialSecrets(node), readAt: now };
		kept.set(key, known);
	}
	return await known.secrets;
}
