import { createHmac } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { apiKeyCredential, readCredential, type ServiceCredential } from '../shared/credential';
import type { Trigger } from './memory';
import type { WebhookKeys } from './verification/verify';

/** The keys that follow from a credential. */
export interface TriggerKeys extends WebhookKeys {
	/** Signs what a test and the published workflow say to each other; it is in no address. */
	testKey: string;
}

/** The credential of the trigger, with what follows from it. */
export interface TriggerCredential extends ServiceCredential {
	keys: TriggerKeys;
	/** Fingerprint of base URL and merchant ID. */
	merchant: string;
	/** As n8n gave it. A request made with it reads nothing from n8n's database. */
	data: ICredentialDataDecryptedObject;
}

/** One purpose, one label: so that what is shown of one value says nothing about another. */
function derive(key: string, purpose: string): string {
	return createHmac('sha256', key).update(`n8n-nodes-payment-pages ${purpose}`).digest('hex');
}

/** The webhook secret of a merchant who chose none: the same in a test and after a restart. */
export function deriveWebhookSecret(apiKey: string): string {
	return derive(apiKey, 'webhook secret');
}

/**
 * The token and the key of tests come from the API key, too, because proxies log addresses and
 * headers: a weak secret cannot be guessed from them.
 */
export function deriveKeys(apiKey: string, secret: string): TriggerKeys {
	return {
		secret,
		token: derive(derive(apiKey, 'url token key'), `url token ${secret}`).slice(0, 32),
		testKey: derive(derive(apiKey, 'test key key'), `test key ${secret}`),
	};
}

/** Tells whether two registrations are the same, without telling what they are. */
export function fingerprintOf({ key, keys, merchant }: TriggerCredential, url: string): string {
	const registration = JSON.stringify([url, merchant, keys.secret]);
	return derive(derive(key, 'fingerprint key'), `registration ${registration}`).slice(0, 32);
}

/** @throws InvalidFieldError naming the field of the credential that cannot be right */
export async function readTriggerCredential(
	node: IHookFunctions | IWebhookFunctions,
): Promise<TriggerCredential> {
	const data = await node.getCredentials(apiKeyCredential);
	const credential = readCredential(apiKeyCredential, data);
	const { baseUrl, merchantId, key } = credential;
	const secret = credential.webhookSecret || deriveWebhookSecret(key);
	const merchant = derive('', `merchant ${baseUrl} ${merchantId.digits}`).slice(0, 32);
	return { ...credential, keys: deriveKeys(key, secret), merchant, data };
}

/** Milliseconds for which a credential is kept. */
const keptFor = 1_000;

/**
 * The credential as it is now. Reading it is costly, so it is read at most once a second: a flood of
 * forgeries must not cost more than a flood of payments. A failure is not kept.
 */
export async function currentCredential(
	node: IWebhookFunctions,
	{ memory }: Trigger,
): Promise<TriggerCredential> {
	// The draft that a test runs may have another credential than the published workflow.
	const id = node.getNode().credentials?.[apiKeyCredential]?.id ?? '';
	const now = Date.now();
	const kept = memory.credential;
	if (kept?.id === id && Math.abs(now - kept.readAt) < keptFor) return await kept.value;
	// A promise, not a value: of many requests that arrive at once, only one reads the credential.
	const reading = { id, readAt: now, value: readTriggerCredential(node) };
	memory.credential = reading;
	const forget = () => {
		if (memory.credential === reading) delete memory.credential;
	};
	reading.value.catch(forget);
	return await reading.value;
}
