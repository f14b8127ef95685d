import { createServer, type AddressInfo } from 'node:net';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

import { startSandbox, type Sandbox } from '../../sandbox';
import { waitFor } from '../../scripts/shared/waitFor';
import { execute, startExecution } from './harness';
import { listenTo, logLines } from './harness/trigger/log';
import { automatic, credentialsFor, register, useSandbox } from './sandbox';

/** What the node sends again by itself, and how long it waits before. */
const sandbox = useSandbox();

const rows = ['a', 'b', 'c'].map((pageName) => ({ pageName }));

describe('a service that is busy', () => {
	test.each(['seconds', 'date'] as const)('is given the time it asks for in %s', async (form) => {
		sandbox.service.configure({
			faults: [
				{
					endpoint: 'create',
					kind: 'tooManyRequests',
					times: 1,
					retryAfterSeconds: 2,
					retryAfterAs: form,
				},
			],
		});
		const { output } = await sandbox.run({
			rows,
			parameters: automatic('create', { maxParallelRequests: 1 }),
		});
		const [refused, ...others] = sandbox.requests.map(({ at }) => at);
		expect(others).toHaveLength(3);
		// A date has no fractions of a second.
		const shortest = form === 'date' ? 1000 : 1990;
		for (const at of others) expect(at - (refused ?? NaN)).toBeGreaterThanOrEqual(shortest);
		expect(output).toHaveLength(3);
		expect(sandbox.service.state.pages.size).toBe(3);
	});

	test('is left alone by all items meanwhile', async () => {
		sandbox.service.configure({
			faults: [
				{ endpoint: 'create', kind: 'tooManyRequests', times: 1, retryAfterSeconds: 1 },
				{ endpoint: 'create', kind: 'latency', milliseconds: 100, nth: [2] },
			],
		});
		await sandbox.run({
			rows: Array.from({ length: 9 }, (_row, index) => ({ pageName: `Page ${index}` })),
			parameters: automatic('create', { maxParallelRequests: 2 }),
		});
		const [first, second, third] = sandbox.requests.map(({ at }) => at);
		expect((third ?? NaN) - (first ?? NaN)).toBeGreaterThanOrEqual(990);
		expect((second ?? NaN) - (first ?? NaN)).toBeLessThan(990);
		expect(sandbox.requests).toHaveLength(10);
	});

	test('is asked four times at most, with growing waits', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'tooManyRequests' }] });
		const { error } = await sandbox.run({
			rows,
			parameters: automatic('create', { maxParallelRequests: 1 }),
		});
		const times = sandbox.requests.map(({ at }) => at);
		expect(times).toHaveLength(4);
		const waits = times.slice(1).map((at, index) => at - (times[index] ?? NaN));
		[250, 500, 1000].forEach((shortest, index) => {
			expect(waits[index]).toBeGreaterThanOrEqual(shortest - 5);
		});
		expect(error?.message).toBe(
			'The service is receiving too many requests (HTTP 429): Too many requests (code "96")',
		);
		expect(sandbox.service.state.pages.size).toBe(0);
	});

	test('is believed when it says 503 with the time to come again', async () => {
		sandbox.service.configure({
			faults: [
				{ endpoint: 'create', kind: 'serverError', status: 503, times: 1, retryAfterSeconds: 0 },
			],
		});
		const { output } = await sandbox.run({
			rows: [{ pageName: 'a' }],
			parameters: automatic('create'),
		});
		expect(output[0]?.json).toMatchObject({ id: 1 });
		expect(sandbox.requests).toHaveLength(2);
	});

	test('is not believed when a 503 comes without it', async () => {
		sandbox.service.configure({
			faults: [{ endpoint: 'create', kind: 'serverError', status: 503, stored: true, times: 1 }],
		});
		const { error } = await sandbox.run({
			rows: [{ pageName: 'a' }],
			parameters: automatic('create'),
		});
		expect(error?.message).toMatch(/HTTP 503.*; a page "a" exists/);
		expect(sandbox.service.state.pages.size).toBe(1);
	});
});

describe('a service that cannot be reached', () => {
	async function freePort(): Promise<number> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		await new Promise((resolve) => server.close(resolve));
		return port;
	}

	test('is tried again, for create too, and creates once when it comes up', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const port = await freePort();
		const credentials = credentialsFor(sandbox.service, {
			baseUrl: `http://127.0.0.1:${port}/api`,
		});
		const running = execute({ rows, parameters: automatic('create'), credentials });
		const later: Sandbox = await startSandbox({ port });
		const { output } = await running;
		expect(output.map(({ json }) => json.pageName)).toEqual(['a', 'b', 'c']);
		expect(later.state.pages.size).toBe(3);
		await later.stop();
	});

	test('is waited for by the first items, not by all of a thousand', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		listenTo(Container.get(Logger));
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
		const { errorOutput } = await sandbox.run({
			rows: Array.from({ length: 30 }, (_value, index) => ({ pageName: `Page ${index}` })),
			parameters: automatic('create', { maxParallelRequests: 3 }),
			credentials: credentialsFor(sandbox.service, { baseUrl }),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(errorOutput).toHaveLength(30);
		const retries = logLines.filter(({ message }) => message.includes('retrying a request'));
		expect(retries).toHaveLength(3 * 3);
	});
});

test('a try is cut short when the execution is canceled while it waits', async () => {
	// Covered for create in stop.test.ts; here for a call that may happen twice.
	sandbox.service.configure({ faults: [{ endpoint: 'register', kind: 'serverError' }] });
	const execution = startExecution({
		parameters: { ...register, webhookUrl: 'https://a.example' },
		credentials: credentialsFor(sandbox.service, { webhookSecret: 'a-long-secret' }),
	});
	await waitFor(() => sandbox.requests.some(({ status }) => status === 500), { what: 'a refusal' });
	execution.cancel();
	const { run } = await execution.finished;
	expect(run.status).toBe('canceled');
	expect(sandbox.requests.length).toBeLessThan(4);
});

afterEach(() => {
	jest.restoreAllMocks();
});
