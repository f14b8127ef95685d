import { type Sandbox, startSandbox } from '../../sandbox';
import { post, registerUrl } from './wire';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

test.each([
	['https://a.example', 'https://a.example/'],
	['https://a.example/', 'https://a.example/'],
	['https://a.example/hook', 'https://a.example/hook/'],
	['https://a.example/hook/', 'https://a.example/hook/'],
	['https://a.example/hook?token=a/b&c', 'https://a.example/hook/?token=a/b&c'],
	['https://a.example/hook/?token=x', 'https://a.example/hook/?token=x'],
	['https://A.example/h%6Fok', 'https://A.example/h%6Fok/'],
])('echoes %s with a slash at the end of the path: %s', async (requestedUrl, webhookUrl) => {
	const answer = await registerUrl(sandbox, requestedUrl, 'the secret');
	expect(answer.json()).toEqual({
		responseCode: '00',
		responseMessage: 'Webhook registered successfully',
		data: { webhookUrl },
	});
	expect(sandbox.state.registration).toMatchObject({
		webhookUrl,
		requestedUrl,
		merchantId: '1002003004005006007',
		secret: 'the secret',
	});
});

test('keeps one registration: the last one', async () => {
	await registerUrl(sandbox, 'https://first.example/');
	await registerUrl(sandbox, 'https://second.example/');
	expect(sandbox.state.registration?.webhookUrl).toBe('https://second.example/');
});

test.each([
	['30', '{"webhookUrl":"shop.example"}'],
	['30', '{"webhookUrl":"ftp://shop.example"}'],
	['30', '{}'],
	['30', '{"webhookUrl":"https://a.example","merchantId":"1002003004005006007"}'],
	['30', '{"webhookUrl":"https://a.example","secret":5}'],
	['03', '{"webhookUrl":"https://a.example","merchantId":12}'],
])('refuses with code %s: %s', async (responseCode, body) => {
	const answer = await post(sandbox, 'register', body);
	expect(answer.json()).toEqual({ responseCode, responseMessage: expect.any(String) });
	expect(sandbox.state.registration).toBeNull();
});
