import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { automatic, credentialsFor, useSandbox } from './sandbox';

const sandbox = useSandbox();

const items = 60;

/**
 * Holds its requests back until there are as many at once as expected (or no more to come), and
 * then a moment longer, in which more than expected would be seen.
 */
function startHoldingServer(expected: number, total: number) {
	const held: ServerResponse[] = [];
	const seen = { most: 0, total: 0 };
	const release = (): void => {
		for (const response of held.splice(0)) {
			response.end('{"responseCode":"00","data":{"isValid":false}}');
		}
	};
	const server = createServer((request, response) => {
		request.resume();
		held.push(response);
		seen.total++;
		seen.most = Math.max(seen.most, held.length);
		if (held.length === expected || seen.total === total) setTimeout(release, 30);
	});
	return { server, seen };
}

/** How many requests were under way at most; in vain, it waits for the expected number. */
async function mostAtOnce(
	expected: number,
	options: INodeParameters,
	more: INodeParameters = {},
): Promise<number> {
	const total = options.ifReferenceExists === 'skip' ? 2 * items : items;
	const { server, seen } = startHoldingServer(expected, total);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const { output } = await sandbox.run({
		rows: Array.from({ length: items }, (_value, index) => ({
			pageName: `Page ${index}`,
			paymentPageLinkReference: `page-${index}`,
		})),
		parameters: { ...automatic('create', options), ...more },
		credentials: credentialsFor(sandbox.service, { baseUrl: `http://127.0.0.1:${port}` }),
	});
	server.close();
	expect(output).toHaveLength(items);
	expect(seen.total).toBe(total);
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
	expect(await mostAtOnce(most, options)).toBe(most);
});

test('counts an item that asks first as one', async () => {
	const options = { maxParallelRequests: 3, ifReferenceExists: 'skip' };
	expect(await mostAtOnce(3, options)).toBe(3);
});

test('n8n spaces the items out with its own batching', async () => {
	const batching = { batch: { batchSize: 20, batchInterval: 150 } };
	const started = Date.now();
	const most = await mostAtOnce(20, { maxParallelRequests: 50 }, { requestOptions: { batching } });
	expect(most).toBeLessThanOrEqual(50);
	expect(Date.now() - started).toBeGreaterThanOrEqual(300);
});

test('bounds batched items too', async () => {
	const batching = { batch: { batchSize: 20, batchInterval: 10 } };
	const more = { requestOptions: { batching } };
	expect(await mostAtOnce(4, { maxParallelRequests: 4 }, more)).toBe(4);
});

test('the credential is read once for each item, however many requests the item needs', async () => {
	const read: number[] = [];
	await sandbox.run({
		rows: [{ pageName: 'A' }, { pageName: 'B' }, { pageName: 'C' }],
		parameters: automatic('create', { ifReferenceExists: 'error' }),
		onCredentialRead: (itemIndex) => read.push(itemIndex),
	});
	expect(sandbox.requests).toHaveLength(6);
	// n8n itself reads it once more for the first item, before it looks at any.
	expect(read).toEqual([0, 0, 1, 2]);
});

test("n8n's own time-out holds", async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'hang', times: 1 }] });
	const { error } = await sandbox.run({
		rows: [{ pageName: 'A' }],
		parameters: { ...automatic('create'), requestOptions: { timeout: 150 } },
	});
	expect(error?.message).toMatch(/^The service did not respond in time; /);
});
