import type { IHookFunctions } from 'n8n-workflow';

/** The addresses of the trigger, without the token. */
export interface Addresses {
	/** Where n8n waits for events now: the test address while listening for a test event. */
	current: string;
	production: string;
	/** Where n8n waits while listening for a test event; '' when that is not known. */
	test: string;
	isTest: boolean;
}

/** Base addresses as n8n-core has them; n8n-workflow's types leave them out (n8n facts, "Triggers"). */
interface BaseAddresses {
	additionalData?: { webhookBaseUrl?: string; webhookTestBaseUrl?: string };
}

/**
 * Finds the addresses. Test and production can differ in host and in the name of the endpoint. An
 * event finds the production address as the current one, in a test, too (n8n facts, "Triggers").
 */
export function addressesOf(node: Pick<IHookFunctions, 'getNodeWebhookUrl'>): Addresses {
	const current = node.getNodeWebhookUrl('default') ?? '';
	const { webhookBaseUrl = '', webhookTestBaseUrl = '' } =
		(node as BaseAddresses).additionalData ?? {};
	const isTest = webhookTestBaseUrl !== '' && current.startsWith(`${webhookTestBaseUrl}/`);
	if (isTest) {
		const path = current.slice(webhookTestBaseUrl.length);
		return { current, production: `${webhookBaseUrl}${path}`, test: current, isTest };
	}
	const hasBase = webhookTestBaseUrl !== '' && current.startsWith(`${webhookBaseUrl}/`);
	const test = hasBase ? `${webhookTestBaseUrl}${current.slice(webhookBaseUrl.length)}` : '';
	return { current, production: current, test, isTest };
}

/** Hosts that only this machine or this network knows: a name without a dot, and local domains. */
const privateName = /^([^.:]+|.*\.(localhost|local|internal|lan|home|home\.arpa|test))\.?$/i;

/** Addresses likewise; RFC 1122, 1918, 3927 and 6598, and for IPv6 RFC 4193 and 4291. */
const privateNumber =
	/^(((0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+)|\[(::1?|f[cd].*|fe[89ab].*)\])$/i;

/** Whether a service on the Internet cannot reach this address. */
export function isPrivateAddress(url: string): boolean {
	if (!URL.canParse(url)) return true;
	const { hostname } = new URL(url);
	return privateName.test(hostname) || privateNumber.test(hostname);
}

export function warnOfPrivateAddress(hook: IHookFunctions, url: string): void {
	if (!isPrivateAddress(url)) return;
	hook.logger.warn(
		`Payment Page Trigger: only this machine or network can reach ${url}, so a service on the Internet cannot send events to it. Set WEBHOOK_URL to the public URL of n8n.`,
	);
}
