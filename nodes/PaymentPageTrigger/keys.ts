import { createHmac } from 'crypto';

import { apiKeyCredential, readCredential } from '../shared/credential';
import type { NodeContext, Trigger, TriggerCredential, TriggerKeys } from './memory';
import type { Settings } from './settings';
import { kindOf } from './verification/verify';

/** A label for each purpose, so that one value says nothing about another. */
function derive(key: string, purpose: string): string {
	return createHmac('sha256', key).update(`n8n-nodes-payment-pages ${purpose}`).digest('hex');
}

/** From the API key, too, so that a weak chosen secret can't be guessed from what proxies log. */
export function deriveKeys(apiKey: string, chosen: string): TriggerKeys {
	const secret = chosen || derive(apiKey, 'webhook secret');
	return {
		secret,
		token: derive(derive(apiKey, 'url token key'), `url token ${secret}`).slice(0, 32),
		testKey: derive(derive(apiKey, 'test key key'), `test key ${secret}`),
	};
}

/**
 * What to register: the address, with a token unless the required proof makes that superfluous; and
 * a fingerprint that tells whether two registrations are the same, without telling what they are.
 */
export function toRegister(
	{ key, keys, merchant }: TriggerCredential,
	production: string,
	{ requiredProof }: Settings,
): { url: string; fingerprint: string } {
	const needsToken = requiredProof === '' || kindOf(requiredProof) === 'url token';
	const url = needsToken ? `${production}?token=${keys.token}` : production;
	const registration = JSON.stringify([url, merchant, keys.secret]);
	const fingerprint = derive(derive(key, 'fingerprint key'), registration).slice(0, 32);
	return { url, fingerprint };
}

/** @throws InvalidFieldError naming the field of the credential that cannot be right */
export async function readTriggerCredential(node: NodeContext): Promise<TriggerCredential> {
	const data = await node.getCredentials(apiKeyCredential);
	const credential = readCredential(apiKeyCredential, data);
	const { baseUrl, merchantId, key } = credential;
	const merchant = derive('', `merchant ${baseUrl} ${merchantId.digits}`).slice(0, 32);
	return { ...credential, keys: deriveKeys(key, credential.webhookSecret), merchant, data };
}

/** The credential as it is now, read at most once a second: a flood of forgeries must stay cheap. */
export async function currentCredential(
	node: NodeContext,
	{ memory }: Trigger,
): Promise<TriggerCredential> {
	// The draft that a test runs may have another credential than the published workflow.
	const id = node.getNode().credentials?.[apiKeyCredential]?.id ?? '';
	const { credential: kept } = memory;
	if (kept?.id === id && Math.abs(Date.now() - kept.readAt) < 1_000) return await kept.value;
	// A promise, not a value: of many requests that arrive at once, only one reads the credential.
	const value = readTriggerCredential(node);
	memory.credential = { id, readAt: Date.now(), value };
	value.catch(() => {
		if (memory.credential?.value === value) delete memory.credential;
	});
	return await value;
}
