import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { automatic, credentialsFor, useSandbox } from './sandbox';

const sandbox = useSandbox();

/** Answers a moment later, and keeps the highest number of requests that it had at once. */
function startCountingServer() {
	let now = 0;
	const seen = { most: 0, total: 0 };
	const server = createServer((request, response) => {
		seen.total++;
		seen.most = Math.max(seen.most, ++now);
		request.resume();
		setTimeout(() => {
			now--;
			response.end('{"responseCode":"00","data":{"isValid":false}}');
		}, 20);
	});
	return { server, seen };
}

async function mostAtOnce(options: INodeParameters, more: INodeParameters = {}): Promise<number> {
	const { server, seen } = startCountingServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const { output } = await sandbox.run({
		rows: Array.from({ length: 60 }, (_value, index) => ({ pageName: `Page ${index}` })),
		parameters: { ...automatic('create', options), ...more },
		credentials: credentialsFor(sandbox.service, { baseUrl: `http://127.0.0.1:${port}` }),
	});
	server.close();
	expect(output).toHaveLength(60);
	expect(seen.total).toBe(options.ifReferenceExists === 'skip' ? 120 : 60);
	return seen.most;
}

test.each([
	[undefined, 5],
	[1, 1],
	[7, 7],
	[50, 50],
	[500, 50],
	[0, 5],
	[-3, 1],
	[2.9, 2],
	['8', 8],
])('maxParallelRequests %p lets %i requests be under way', async (maxParallelRequests, most) => {
	const options = maxParallelRequests === undefined ? {} : { maxParallelRequests };
	expect(await mostAtOnce(options)).toBe(most);
});

test('counts an item that asks first as one', async () => {
	expect(await mostAtOnce({ maxParallelRequests: 3, ifReferenceExists: 'skip' })).toBe(3);
});

test('n8n spaces the items out with its own batching', async () => {
	const batching = { batch: { batchSize: 20, batchInterval: 150 } };
	const started = Date.now();
	await mostAtOnce({ maxParallelRequests: 50 }, { requestOptions: { batching } });
	expect(Date.now() - started).toBeGreaterThanOrEqual(300);
	expect(await mostAtOnce({ maxParallelRequests: 4 }, { requestOptions: { batching } })).toBe(4);
});

test("n8n's own time-out holds", async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'hang', times: 1 }] });
	const { error } = await sandbox.run({
		rows: [{ pageName: 'A' }],
		parameters: { ...automatic('create'), requestOptions: { timeout: 150 } },
	});
	expect(error?.message).toMatch(/^The service did not answer in time; /);
});
