import type { IHookFunctions } from 'n8n-workflow';

import { deriveUrlToken } from '../../shared/secrets';

/** Both addresses of the trigger, without the token. */
export interface Addresses {
	/** Where n8n waits for events now: the test address while listening for a test event. */
	current: string;
	production: string;
	isTest: boolean;
}

/** Base addresses as n8n-core has them; n8n-workflow's types leave them out (n8n facts, "Triggers"). */
interface BaseAddresses {
	additionalData?: { webhookBaseUrl?: string; webhookTestBaseUrl?: string };
}

/**
 * Finds both addresses. Test and production can differ in host and in the name of the endpoint.
 */
export function addressesOf(hook: IHookFunctions): Addresses {
	const current = hook.getNodeWebhookUrl('default') ?? '';
	const { webhookBaseUrl = '', webhookTestBaseUrl = '' } =
		(hook as unknown as BaseAddresses).additionalData ?? {};
	const isTest = webhookTestBaseUrl !== '' && current.startsWith(`${webhookTestBaseUrl}/`);
	const production = isTest
		? `${webhookBaseUrl}${current.slice(webhookTestBaseUrl.length)}`
		: current;
	return { current, production, isTest };
}

/** The address to register: the service sends the token along, whatever it signs. */
export function withToken(url: string, secret: string): string {
	return `${url}?token=${deriveUrlToken(secret)}`;
}

/** Addresses that only this machine or this network knows; RFC 1918, 6761, 4193, 3927. */
const privateHost =
	/^(localhost|.*\.(localhost|local|internal|lan|home)|127\..*|10\..*|192\.168\..*|169\.254\..*|172\.(1[6-9]|2\d|3[01])\..*|0\.0\.0\.0|\[(::1?|f[cd].*|fe80.*)\])$/i;

/** Whether a service on the Internet cannot reach this address. */
export function isPrivateAddress(url: string): boolean {
	return !URL.canParse(url) || privateHost.test(new URL(url).hostname);
}
