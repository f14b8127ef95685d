import { type Sandbox, startSandbox } from '../../sandbox';
import { paths, post, send, validate } from './wire';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ privateKey: 'private', apiKey: 'api' });
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

const endpoints = [
	['create', 'POST', paths.create, 'private', 'api'],
	['update', 'POST', paths.update, 'private', 'api'],
	['validate', 'GET', `${paths.validate}x`, 'private', 'api'],
	['register', 'POST', paths.register, 'api', 'private'],
] as const;

describe.each(endpoints)('%s', (_name, method, path, rightKey, wrongKey) => {
	const call = (authorization?: string) =>
		send(sandbox.url, path, {
			method,
			headers: { ...(authorization ? { authorization } : {}), 'content-type': 'application/json' },
			body: method === 'POST' ? '{}' : undefined,
		});

	test('is opened by its own key', async () => {
		expect((await call(`Bearer ${rightKey}`)).status).toBe(200);
	});

	test.each([
		['the other key', `Bearer ${wrongKey}`],
		['an unknown key', 'Bearer unknown'],
		['the key without scheme', rightKey],
		['another scheme', `Basic ${rightKey}`],
		['no key', undefined],
	])('answers %s with 401 and an envelope', async (_case, authorization) => {
		const answer = await call(authorization);
		expect(answer.status).toBe(401);
		expect(answer.json()).toEqual({ responseCode: '63', responseMessage: expect.any(String) });
	});
});

test('remembers each request as it was on the wire, with the key that it used', async () => {
	await post(sandbox, 'create', '{ "pageName" : "Zoë" }');
	await post(sandbox, 'create', '{}', 'api');
	await validate(sandbox, 'a%2Fb?c');
	await send(sandbox.url, `${paths.validate}%zz`);
	await send(sandbox.url, paths.register, { headers: { authorization: 'Bearer other' } });
	const { requests } = sandbox.state;
	expect(
		requests.map(({ method, url, keyUsed, status }) => [method, url, keyUsed, status]),
	).toEqual([
		['POST', paths.create, 'privateKey', 200],
		['POST', paths.create, 'apiKey', 401],
		['GET', `${paths.validate}a%2Fb?c`, 'privateKey', 200],
		['GET', `${paths.validate}%zz`, 'none', 400],
		['GET', paths.register, 'other', 404],
	]);
	expect(requests[0]?.body).toEqual(Buffer.from('{ "pageName" : "Zoë" }'));
	expect(requests[0]?.headers['content-type']).toBe('application/json');
});

test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
	'refuses a body of the content type %p',
	async (type) => {
		const answer = await send(sandbox.url, paths.create, {
			method: 'POST',
			headers: { authorization: 'Bearer private', ...(type ? { 'content-type': type } : {}) },
			body: '{}',
		});
		expect(answer.status).toBe(415);
		expect(answer.json()).toMatchObject({ responseCode: '30' });
		expect(sandbox.state.pages.size).toBe(0);
	},
);

test('meets an address without /api with a web page', async () => {
	const answer = await send(sandbox.url, '/PaymentPages/Add', { method: 'POST', body: '{}' });
	expect(answer.status).toBe(404);
	expect(answer.headers['content-type']).toMatch(/^text\/html/);
	expect((await send(sandbox.url, '/')).headers['content-type']).toMatch(/^text\/html/);
});

test('answers an unknown path under /api with 404 and an envelope', async () => {
	const answer = await send(sandbox.url, '/api/v1/PaymentPages/Add');
	expect(answer.status).toBe(404);
	expect(answer.json()).toMatchObject({ responseCode: '30' });
});
