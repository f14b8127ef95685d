import {
	addressesOf,
	isPrivateAddress,
} from '../../../nodes/PaymentPageTrigger/registration/addresses';

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
		current: `${testBase}/id/webhook`,
		production: `${base}/id/webhook`,
		test: `${testBase}/id/webhook`,
		isTest: true,
	});
	expect(addresses(`${base}/id/webhook`, base, testBase)).toEqual({
		current: `${base}/id/webhook`,
		production: `${base}/id/webhook`,
		test: `${testBase}/id/webhook`,
		isTest: false,
	});
});

test('takes the current address for the production one when n8n does not tell its bases', () => {
	const current = 'https://n8n.example/webhook/id/webhook';
	const expected = { current, production: current, test: '', isTest: false };
	expect(addresses(current)).toEqual(expected);
	expect(addressesOf({ getNodeWebhookUrl: () => current })).toEqual(expected);
	expect(addresses(undefined)).toEqual({ current: '', production: '', test: '', isTest: false });
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
