import fc from 'fast-check';

import {
	addressesOf,
	isOwnMachine,
	isPrivateAddress,
	tokensIn,
	withoutTokens,
} from '../../../nodes/PaymentPageTrigger/addresses';
import { token } from './vectors';

test.each([
	['usual names', 'https://n8n.example/webhook', 'https://n8n.example/webhook-test'],
	['other hosts and names', 'https://hooks.example/a/hook', 'https://edit.example/try/it'],
])('finds all addresses with %s', (_, webhookBaseUrl, webhookTestBaseUrl) => {
	const additionalData = { webhookBaseUrl, webhookTestBaseUrl };
	const production = `${webhookBaseUrl}/id/webhook`;
	const test = `${webhookTestBaseUrl}/id/webhook`;
	for (const current of [production, test]) {
		const found = addressesOf({ getNodeWebhookUrl: () => current, ...{ additionalData } });
		expect(found).toEqual({ production, test, isTest: current === test });
	}
});

test.each([
	['https://n8n.example/webhook/id', {}],
	[
		'https://n8n.example/webhook/id',
		{ additionalData: { webhookBaseUrl: 'https://n8n.example/webhook' } },
	],
	[undefined, {}],
])('takes %s for the production address when n8n does not tell its bases', (current, more) => {
	const found = addressesOf({ getNodeWebhookUrl: () => current, ...more });
	expect(found).toEqual({ production: current ?? '', test: '', isTest: false });
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
	for (const host of hosts.split(' ')) {
		const url = `http://${host}/webhook/1`;
		expect([url, isPrivateAddress(url), isOwnMachine(url)]).toEqual([url, isPrivate, isOwn]);
	}
});

test.each(['not an address', ''])('%j is private', (url) => {
	expect(isPrivateAddress(url)).toBe(true);
});

const path = '/webhook/6a1c/webhook';

test.each([
	`?token=${token}/`,
	`?token=${token}//`,
	`/?token=${token}`,
	`?/token=${token}`,
	`?token=/${token}/`,
	`?source=pay?token=${token}`,
	`??token=${token}`,
	`?token%3D${token}`,
	`?a=1%26token=${token}%26b=2`,
	`?token=${token.toUpperCase()}`,
])('finds the token behind the path in %s', (rest) => {
	expect(tokensIn(`${path}${rest}`)).toEqual([token]);
});

test.each([
	'',
	'?token=',
	`?token=${token.slice(1)}`,
	`?token=${token}0`,
	`?tokens=${token}`,
	`?${token}`,
	`/token=${token}`,
	`?xtoken=${token}`,
])('finds none in %s', (rest) => {
	expect(tokensIn(`${path}${rest}`)).toEqual([]);
});

test('finds the token wherever a service puts more parameters and slashes', () => {
	const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
	const parameter = fc.tuple(word, word).map(([name, value]) => `x${name}=${value}`);
	const glue = fc.constantFrom('&', '?', '&/', '?/', '/&');
	const around = fc.array(fc.tuple(parameter, glue), { maxLength: 4 });
	fc.assert(
		fc.property(around, around, (before, after) => {
			const head = before.map(([text, sign]) => `${text}${sign}`).join('');
			const tail = after.map(([text, sign]) => `${sign}${text}`).join('');
			expect(tokensIn(`${path}?${head}token=${token}${tail}`)).toEqual([token]);
		}),
	);
});

test('finds ours behind one of the service', () => {
	const other = 'f'.repeat(32);
	expect(tokensIn(`${path}?token=${other}&token=${token}`)).toEqual([other, token]);
});

const others = { tokens: 'x', cardToken: 'a'.repeat(32), token2: 'b'.repeat(64) };

test.each([
	[{ token, ...others }, others],
	[{ token: [token, 'x'] }, {}],
	[{ token: token.toUpperCase() }, {}],
	[{ '/token': `${token}/` }, {}],
	[{ token: `${token}?event=paid&ref=7` }, { event: 'paid', ref: '7' }],
])('of the query %j stays %j', (query, left) => {
	expect(withoutTokens(query, ['f'.repeat(32), token])).toEqual(left);
});
