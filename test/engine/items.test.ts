import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { automatic, continues, operations, useSandbox } from './sandbox';

/** Items of one run: their order, how many at once, and what becomes of those that fail. */
const sandbox = useSandbox();

const { create } = operations;

const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
	crmId: `crm-${number}`,
	pageName: `Page ${number}`,
	paymentPageLinkReference: `page-${number}`,
}));

test('outputs come in the order of the items, each paired with its own', async () => {
	// The first page is made last: so the service's IDs tell that the order is not its own.
	sandbox.fail({ endpoint: 'create', kind: 'latency', nth: [1], milliseconds: 500 });
	const lookAt =
		'={{ $("Rows").item.json.crmId + " via " + $("Payment Page").item.json.pageName }}';
	const { output, looked } = await sandbox.run({ rows, parameters: create, lookAt });
	expect(output).toMatchObject(
		rows.map(({ pageName }, item) => ({ json: { pageName }, pairedItem: { item } })),
	);
	expect(looked).toEqual(rows.map(({ crmId, pageName }) => `${crmId} via ${pageName}`));
	const ids = output.map(({ json }) => Number(json.id));
	expect(ids).not.toEqual([...ids].sort((first, second) => first - second));
});

describe('when items fail', () => {
	const fault = { kind: 'wrongCode' as const, nth: [2, 5], code: '51', message: 'Not now' };
	const advice = (item: number): unknown => expect.stringContaining(`(n8n calls it item ${item})`);
	const failed = (item: number) => ({
		...rows[item],
		error: 'The service rejected the request: Not now (code "51")',
	});
	const run = async (onError: 'continueErrorOutput' | 'continueRegularOutput') => {
		sandbox.fail({ endpoint: 'create', ...fault });
		const lookAt = '={{ $("Rows").item.json.crmId }}';
		const parameters = automatic('create', { maxParallelRequests: 1 });
		return await sandbox.run({ rows, parameters, settings: { onError }, lookAt });
	};

	test('each carries its input and its message on the error output, and all others are sent', async () => {
		const { run: execution, errorOutput, looked, lookedAtError } = await run('continueErrorOutput');
		expect(execution.status).toBe('success');
		expect(looked).toEqual(['crm-1', 'crm-3', 'crm-4', 'crm-6', 'crm-7', 'crm-8']);
		expect(lookedAtError).toEqual(['crm-2', 'crm-5']);
		expect(errorOutput).toMatchObject([1, 4].map((item) => ({ pairedItem: { item } })));
		expect(errorOutput.map(({ json }) => json)).toEqual(
			[1, 4].map((item) => ({ ...failed(item), message: advice(item) })),
		);
		expect(sandbox.requests).toHaveLength(8);
		expect(sandbox.references).toHaveLength(6);
	});

	test('each carries its input, its message and its code among the others', async () => {
		const { output } = await run('continueRegularOutput');
		expect(output).toHaveLength(8);
		const details = { httpCode: '200', responseCode: '51' };
		expect(output.filter(({ json }) => json.error !== undefined)).toEqual(
			[1, 4].map((item) => ({
				json: { ...failed(item), details: { description: advice(item), ...details } },
				pairedItem: { item },
			})),
		);
	});
});

test.each([
	[rows, { executeOnce: true }, 1],
	[[], {}, 0],
])('"Execute Once" runs the first item alone, and no items are no requests', async (...given) => {
	const [items, settings, count] = given;
	const { run, output } = await sandbox.run({ rows: items, parameters: create, settings });
	expect(run.status).toBe('success');
	expect(output).toHaveLength(count);
	expect(sandbox.requests).toHaveLength(count);
});

describe('at once', () => {
	/**
	 * How many requests were in progress at most. The server holds them back until there are as many
	 * as expected (or no more to come), and then a moment longer, in which more would be seen.
	 */
	async function mostAtOnce(expected: number, options: INodeParameters, batchSize = 0) {
		const items = 2 * expected;
		const total = options.ifReferenceExists === 'skip' ? 2 * items : items;
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
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const batching = { batch: { batchSize, batchInterval: 10 } };
		const { output } = await sandbox.run({
			rows: Array.from({ length: items }, (_value, index) => ({
				paymentPageLinkReference: `page-${index}`,
			})),
			parameters: {
				...automatic('create', options),
				...(batchSize > 0 ? { requestOptions: { batching } } : {}),
			},
			credential: { baseUrl: `http://127.0.0.1:${port}` },
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
		[500, 50],
		[0, 5],
		[-3, 1],
		[2.9, 2],
		['8', 8],
	])('maxParallelRequests %p lets %i requests be sent', async (maxParallelRequests, most) => {
		const options = maxParallelRequests === undefined ? {} : { maxParallelRequests };
		expect(await mostAtOnce(most, options)).toBe(most);
	});

	test('an item that asks first is one', async () => {
		const options = { maxParallelRequests: 3, ifReferenceExists: 'skip' };
		expect(await mostAtOnce(3, options)).toBe(3);
	});

	test('items of n8n’s own batches are bounded, too', async () => {
		expect(await mostAtOnce(4, { maxParallelRequests: 4 }, 6)).toBe(4);
	});
});

test('the credential is read once for each item, however many requests the item needs', async () => {
	const read: number[] = [];
	await sandbox.run({
		rows: rows.slice(0, 3),
		parameters: automatic('create', { ifReferenceExists: 'error' }),
		settings: continues,
		onCredentialRead: (itemIndex) => read.push(itemIndex),
	});
	expect(sandbox.requests).toHaveLength(6);
	// n8n itself reads it once more for the first item, before it looks at any.
	expect(read).toEqual([0, 0, 1, 2]);
});
