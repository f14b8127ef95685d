import {
	addressesOf,
	isOwnMachine,
	isPrivateAddress,
	tokensIn,
	withoutTokens,
} from '../../../nodes/PaymentPageTrigger/addresses';
import { token } from './vectors';

const webhookBaseUrl = 'https://n8n.example/webhook';
const bases = { webhookBaseUrl, webhookTestBaseUrl: 'https://n8n.example/webhook-test' };
const production = 'https://n8n.example/webhook/id/webhook';
const inTest = 'https://n8n.example/webhook-test/id/webhook';
const elsewhere = 'https://other.example/webhook/id/webhook';

test.each([
	['in production', production, bases, { production, test: inTest, isTest: false }],
	['in a test', inTest, bases, { production, test: inTest, isTest: true }],
	['elsewhere', elsewhere, bases, { production: elsewhere, test: '', isTest: false }],
	['without bases', production, undefined, { production, test: '', isTest: false }],
	['without one', production, { webhookBaseUrl }, { production, test: '', isTest: false }],
	['nowhere', undefined, undefined, { production: '', test: '', isTest: false }],
])('finds all addresses %s', (_, current, additionalData, expected) => {
	const node = { getNodeWebhookUrl: () => current, ...(additionalData && { additionalData }) };
	expect(addressesOf(node)).toEqual(expected);
});

const ownHosts =
	'localhost LOCALHOST. n8n.localhost 127.0.0.1:5678 127.1 127.255.0.1 2130706433 0 0.0.0.0 [::1] [::]';
const privateHosts =
	'n8n:5678 n8n.local n8n.corp.internal nas.home.arpa shop.test 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.10 169.254.1.1 100.64.0.1 100.127.255.255 [fd12:3456::1] [fe80::1]';
const publicHosts =
	'n8n.example.com localhost.example.com internal.example.com my.locals 10.example.com 127.example.com 9.9.9.9 11.0.0.1 172.15.0.1 172.32.0.1 192.169.0.1 100.63.0.1 100.128.0.1 [2001:db8::1]';

test.each([
	['this machine alone', ownHosts, true, true],
	['a private network', privateHosts, true, false],
	['the Internet', publicHosts, false, false],
])('who reaches an address: %s', (_, hosts, isPrivate, isOwn) => {
	const urls = hosts.split(' ').map((host) => `http://${host}/webhook/1`);
	// What is no address counts as this machine's.
	for (const url of isOwn ? [...urls, 'not an address', ''] : urls) {
		expect([url, isPrivateAddress(url), isOwnMachine(url)]).toEqual([url, isPrivate, isOwn]);
	}
});

const path = '/webhook/6a1c/webhook';
const other = 'f'.repeat(32);

test.each([
	[[token], `?token=${token}/`],
	[[token], `?token=${token}//`],
	[[token], `?x=1&y=2?/token=${token}&/z=3?w=4`],
	[[token], `/?token=${token}`],
	[[token], `?/token=${token}`],
	[[token], `?token=/${token}/`],
	[[token], `?source=pay?token=${token}`],
	[[token], `??token=${token}`],
	[[token], `?token%3D${token}`],
	[[token], `?a=1%26token=${token}%26b=2`],
	[[token], `?token=${token.toUpperCase()}`],
	[[other, token], `?token=${other}&token=${token}`],
	[[], ''],
	[[], '?token='],
	[[], `?token=${token.slice(1)}`],
	[[], `?token=${token}0`],
	[[], `?tokens=${token}`],
	[[], `?${token}`],
	[[], `/token=${token}`],
	[[], `?xtoken=${token}`],
])('finds %j behind the path in %s', (tokens, rest) => {
	expect(tokensIn(`${path}${rest}`)).toEqual(tokens);
});

const others = { tokens: 'x', cardToken: 'a'.repeat(32), token2: 'b'.repeat(64) };

test.each([
	[{ token, ...others }, others],
	[{ token: [token, 'x'] }, {}],
	[{ token: token.toUpperCase() }, {}],
	[{ '/token': `${token}/` }, {}],
	[{ token: `${token}?event=paid&ref=7` }, { event: 'paid', ref: '7' }],
])('of the query %j stays %j', (query, left) => {
	expect(withoutTokens(query, [other, token])).toEqual(left);
});
