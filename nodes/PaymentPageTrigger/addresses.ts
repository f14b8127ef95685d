import type { IHookFunctions } from 'n8n-workflow';

/** The addresses of the trigger, without the token. */
export interface Addresses {
	production: string;
	/** Where n8n waits while it listens for a test event; '' when that is not known. */
	test: string;
	/** Whether a test calls. */
	isTest: boolean;
}

/** Base addresses as n8n-core has them; n8n-workflow's types leave them out (n8n facts, "Triggers"). */
interface BaseAddresses {
	additionalData?: { webhookBaseUrl?: string; webhookTestBaseUrl?: string };
}

/**
 * Finds the addresses. Test and production can differ in host and in the name of the endpoint. An
 * event finds the production address as its own, in a test, too (n8n facts, "Triggers").
 */
export function addressesOf(node: Pick<IHookFunctions, 'getNodeWebhookUrl'>): Addresses {
	const current = node.getNodeWebhookUrl('default') ?? '';
	const { webhookBaseUrl = '', webhookTestBaseUrl = '' } =
		(node as BaseAddresses).additionalData ?? {};
	const isTest = webhookTestBaseUrl !== '' && current.startsWith(`${webhookTestBaseUrl}/`);
	if (isTest) {
		const path = current.slice(webhookTestBaseUrl.length);
		return { production: `${webhookBaseUrl}${path}`, test: current, isTest };
	}
	const hasBase = webhookTestBaseUrl !== '' && current.startsWith(`${webhookBaseUrl}/`);
	const test = hasBase ? `${webhookTestBaseUrl}${current.slice(webhookBaseUrl.length)}` : '';
	return { production: current, test, isTest };
}

/** Hosts that only this machine or this network knows: a name without a dot, and local domains. */
const privateName = /^([^.:]+|.*\.(localhost|local|internal|lan|home|home\.arpa|test))\.?$/i;

/** Numbers likewise; RFC 1122, 1918, 3927 and 6598, and for IPv6 RFC 4193 and 4291. */
const privateNumber =
	/^(((0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+)|\[(::1?|f[cd].*|fe[89ab].*)\])$/i;

/** Hosts that are nothing but this machine. */
const ownHost = /^((.*\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/i;

function hostOf(url: string): string {
	return URL.canParse(url) ? new URL(url).hostname : 'localhost';
}

/** Whether a service on the Internet cannot reach this address. */
export function isPrivateAddress(url: string): boolean {
	const host = hostOf(url);
	return privateName.test(host) || privateNumber.test(host);
}

/** Whether this machine alone can reach this address. */
export function isOwnMachine(url: string): boolean {
	return ownHost.test(hostOf(url));
}

/**
 * Services change addresses: they add a slash, a second "?" or more parameters, encode or reorder
 * what is there (docs/interface.md, "Register webhook URL": the rule is not shown). So a token is
 * found by its form, wherever it stands behind the path.
 */
const tokenPattern = /(?:[?&/ ]|%26|%2F)token(?:=|%3D)(?:\/|%2F)*([0-9a-f]{32})(?![0-9a-f])/gi;

/** The registered URL, if it has a token: the service sends it along. */
export function withToken(url: string, token: string): string {
	return `${url}?token=${token}`;
}

/** @param originalUrl path and query as they came */
export function tokensIn(originalUrl: string): string[] {
	const start = originalUrl.indexOf('?');
	if (start < 0) return [];
	const found = originalUrl.slice(start).matchAll(tokenPattern);
	return [...found].map(([, token = '']) => token.toLowerCase());
}

/** What the service itself put into the query: without tokens, in whatever form they arrived. */
export function withoutTokens(
	query: Record<string, unknown>,
	tokens: readonly string[],
): Record<string, unknown> {
	if (tokens.length === 0) return query;
	return Object.fromEntries(
		Object.entries(query).flatMap(([name, value]) => {
			const text = JSON.stringify([name, value]).toLowerCase();
			if (!tokens.some((token) => text.includes(token))) return [[name, value]];
			// Behind a second "?" the service may have put parameters of its own.
			const [, more = ''] = typeof value === 'string' ? value.split(/[?&](.*)/s) : [];
			const isMore = more !== '' && !tokens.some((token) => more.toLowerCase().includes(token));
			return isMore ? [...new URLSearchParams(more)] : [];
		}),
	);
}
