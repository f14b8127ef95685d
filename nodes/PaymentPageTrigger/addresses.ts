import type { NodeContext } from './memory';

/** The addresses of the trigger, without the token. */
export interface Addresses {
	production: string;
	test: string; // where n8n waits for a test event; '' when that is not known
	isTest: boolean; // whether a test calls
}

/** Base addresses as n8n-core has them; n8n-workflow's types leave them out (fact 33). */
interface BaseAddresses {
	additionalData?: { webhookBaseUrl?: string; webhookTestBaseUrl?: string };
}

/**
 * Finds the addresses. Test and production can differ in host and in the name of the endpoint. In
 * `webhook()`, n8n gives the production address, also in a test (fact 33).
 */
export function addressesOf(node: Pick<NodeContext, 'getNodeWebhookUrl'>): Addresses {
	const current = node.getNodeWebhookUrl('default') ?? '';
	const { webhookBaseUrl: base = '', webhookTestBaseUrl: testBase = '' } =
		(node as BaseAddresses).additionalData ?? {};
	if (testBase !== '' && current.startsWith(`${testBase}/`)) {
		const production = `${base}${current.slice(testBase.length)}`;
		return { production, test: current, isTest: true };
	}
	const hasBase = testBase !== '' && current.startsWith(`${base}/`);
	const test = hasBase ? `${testBase}${current.slice(base.length)}` : '';
	return { production: current, test, isTest: false };
}

/** Hosts that only this machine or network knows: a name without a dot, and local domains. */
const privateName = /^([^.:]+|.*\.(localhost|local|internal|lan|home|home\.arpa|test))\.?$/i;

/** The same for numbers: RFC 1122, 1918, 3927 and 6598, and for IPv6 RFC 4193 and 4291. */
const privateNumber =
	/^(((0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+)|\[(::1?|f[cd].*|fe[89ab].*)\])$/i;

const ownHost = /^((.*\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/i;

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : 'localhost');

/** Whether a service on the Internet cannot reach this address. */
export function isPrivateAddress(url: string): boolean {
	return privateName.test(hostOf(url)) || privateNumber.test(hostOf(url));
}

/** Whether this machine alone can reach this address. */
export const isOwnMachine = (url: string) => ownHost.test(hostOf(url));

/**
 * Services change addresses: they add a slash, a second "?" or more parameters, encode or reorder
 * what is there (docs/interface.md, "Register webhook URL": the rule is not shown). So a token is
 * found by its form, wherever it stands behind the path.
 */
const tokenPattern = /(?:[?&/ ]|%26|%2F)token(?:=|%3D)(?:\/|%2F)*([0-9a-f]{32})(?![0-9a-f])/gi;

/** @param url an address as it came, or path and query of it */
export function tokensIn(url: string): string[] {
	const query = /\?.*/s.exec(url)?.[0] ?? '';
	return [...query.matchAll(tokenPattern)].map(([, token = '']) => token.toLowerCase());
}

/** What the service itself put into the query: without tokens, in whatever form they arrived. */
export function withoutTokens(
	query: Record<string, unknown>,
	tokens: readonly string[],
): Record<string, unknown> {
	const hasToken = (text: string) => tokens.some((token) => text.toLowerCase().includes(token));
	return Object.fromEntries(
		Object.entries(query).flatMap(([name, value]) => {
			if (!hasToken(JSON.stringify([name, value]))) return [[name, value]];
			// The service may have added parameters behind a second "?".
			const [, more = ''] = typeof value === 'string' ? value.split(/[?&](.*)/s) : [];
			return hasToken(more) ? [] : [...new URLSearchParams(more)];
		}),
	);
}
