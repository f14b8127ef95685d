import fc from 'fast-check';

import {
	addressesOf,
	isOwnMachine,
	isPrivateAddress,
	tokensIn,
	withoutTokens,
} from '../../../nodes/PaymentPageTrigger/addresses';
import { token } from './vectors';

function addresses(
	current: string | undefined,
	webhookBaseUrl?: string,
	webhookTestBaseUrl?: string,
) {
	return addressesOf({
		getNodeWebhookUrl: () => current,
		...{ additionalData: { webhookBaseUrl, webhookTestBaseUrl } },
	});
}

test.each([
	['usual names', 'https://n8n.example/webhook', 'https://n8n.example/webhook-test'],
	['names of their own', 'https://n8n.example/hook', 'https://n8n.example/try/it'],
	['hosts of their own', 'https://hooks.example/webhook', 'https://edit.example/webhook-test'],
	['a path in front', 'https://n8n.example/a/webhook', 'https://n8n.example/b/webhook-test'],
])('finds all addresses with %s', (_, base, testBase) => {
	expect(addresses(`${testBase}/id/webhook`, base, testBase)).toEqual({
		production: `${base}/id/webhook`,
		test: `${testBase}/id/webhook`,
		isTest: true,
	});
	expect(addresses(`${base}/id/webhook`, base, testBase)).toEqual({
		production: `${base}/id/webhook`,
		test: `${testBase}/id/webhook`,
		isTest: false,
	});
});

test('takes the current address for the production one when n8n does not tell its bases', () => {
	const current = 'https://n8n.example/webhook/id/webhook';
	const expected = { production: current, test: '', isTest: false };
	expect(addresses(current)).toEqual(expected);
	expect(addressesOf({ getNodeWebhookUrl: () => current })).toEqual(expected);
	expect(addresses(undefined)).toEqual({ production: '', test: '', isTest: false });
});

test.each([
	'http://localhost:5678/webhook/1',
	'http://LOCALHOST/',
	'http://localhost./',
	'http://n8n:5678/',
	'http://n8n.local/',
	'http://n8n.localhost/',
	'http://n8n.corp.internal/',
	'http://nas.home.arpa/',
	'http://shop.test/',
	'http://127.0.0.1:5678/',
	'http://127.1/',
	'http://2130706433/',
	'http://0.0.0.0/',
	'http://10.1.2.3/',
	'http://172.16.0.1/',
	'http://172.31.255.255/',
	'http://192.168.1.10/',
	'http://169.254.1.1/',
	'http://100.64.0.1/',
	'http://100.127.255.255/',
	'http://[::1]:5678/',
	'http://[::]/',
	'http://[fd12:3456::1]/',
	'http://[fe80::1]/',
	'not an address',
	'',
])('%s is private', (url) => {
	expect(isPrivateAddress(url)).toBe(true);
});

test.each([
	'https://n8n.example.com/webhook/1',
	'https://localhost.example.com/',
	'https://internal.example.com/',
	'https://my.locals/',
	'https://10.example.com/',
	'http://9.9.9.9/',
	'http://11.0.0.1/',
	'http://172.15.0.1/',
	'http://172.32.0.1/',
	'http://192.169.0.1/',
	'http://100.63.0.1/',
	'http://100.128.0.1/',
	'http://[2001:db8::1]/',
])('%s is not private', (url) => {
	expect(isPrivateAddress(url)).toBe(false);
});

test.each([
	['http://localhost:5678/', true],
	['http://n8n.localhost/', true],
	['http://LOCALHOST./', true],
	['http://127.1/', true],
	['http://127.255.0.1/', true],
	['http://[::1]/', true],
	['http://0/', true],
	['http://n8n:5678/', false],
	['http://192.168.1.10/', false],
	['https://localhost.example.com/', false],
	['https://127.example.com/', false],
])('%s is this machine alone: %s', (url, isOwn) => {
	expect(isOwnMachine(url)).toBe(isOwn);
});

const path = '/webhook/6a1c/webhook';

test.each([
	`?token=${token}`,
	`?token=${token}/`,
	`?token=${token}//`,
	`/?token=${token}`,
	`?/token=${token}`,
	`?token=/${token}/`,
	`?token=${token}?source=pay`,
	`?token=${token}&source=pay`,
	`?token=${token}&`,
	`?source=pay&token=${token}`,
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

test.each([
	[{ token, page: '2' }, { page: '2' }],
	[{ token: [token, 'x'] }, {}],
	[{ '/token': `${token}/` }, {}],
	[{ token: `${token}?event=paid&ref=7` }, { event: 'paid', ref: '7' }],
	[
		{ tokens: 'x', cardToken: 'a'.repeat(32) },
		{ tokens: 'x', cardToken: 'a'.repeat(32) },
	],
])('of the query %j stays %j', (query, left) => {
	expect(withoutTokens(query, [token])).toEqual(left);
});
