import type { INodeParameters } from 'n8n-workflow';

import {
	atOnce,
	automatic,
	batches,
	existing,
	failing,
	inTurn,
	pages,
	useSandbox,
} from './sandbox';

/** Items of one run: their order, how many at once, and what becomes of those that fail. */
const sandbox = useSandbox();

const rows = pages(8).map((row, index) => ({ ...row, crmId: `crm-${index}` }));

test('outputs come in the order of the items, each paired with its own', async () => {
	// The first page is made last: so the service's IDs tell that the order is not its own.
	sandbox.fail({ ...failing('latency', 1), milliseconds: 500 });
	const lookAt =
		'={{ $("Rows").item.json.crmId + " via " + $("Payment Page").item.json.pageName }}';
	const { output, looked } = await sandbox.run({ rows, lookAt });
	expect(output).toMatchObject(
		rows.map(({ pageName }, item) => ({ json: { pageName }, pairedItem: { item } })),
	);
	expect(looked).toEqual(rows.map(({ crmId, pageName }) => `${crmId} via ${pageName}`));
	expect(Number(output[0]?.json.id)).toBeGreaterThan(1);
});

describe('items that fail carry their input, message and pair', () => {
	const error = 'The service rejected the request: Not now (code "51")';
	const advice = (item: number): unknown => expect.stringContaining(`(n8n calls it item ${item})`);
	const run = async (onError: 'continueErrorOutput' | 'continueRegularOutput') => {
		sandbox.fail({ ...failing('wrongCode', 2, 5), code: '51', message: 'Not now' });
		const lookAt = '={{ $("Rows").item.json.crmId }}';
		return await sandbox.run({ rows, parameters: inTurn, settings: { onError }, lookAt });
	};

	test('on the error output, and all others are sent', async () => {
		const { run: execution, errorOutput, looked, lookedAtError } = await run('continueErrorOutput');
		expect(execution.status).toBe('success');
		expect(looked).toEqual([0, 2, 3, 5, 6, 7].map((item) => `crm-${item}`));
		expect(lookedAtError).toEqual(['crm-1', 'crm-4']);
		expect(errorOutput).toMatchObject(
			[1, 4].map((item) => ({
				json: { ...rows[item], error, message: advice(item) },
				pairedItem: { item },
			})),
		);
		expect(sandbox.requests).toHaveLength(8);
		expect(sandbox.references).toHaveLength(6);
	});

	test('and code, among the others', async () => {
		const { output } = await run('continueRegularOutput');
		expect(output).toHaveLength(8);
		const code = { httpCode: '200', responseCode: '51' };
		expect(output.filter(({ json }) => json.error !== undefined)).toEqual(
			[1, 4].map((item) => ({
				json: { ...rows[item], error, details: { description: advice(item), ...code } },
				pairedItem: { item },
			})),
		);
	});
});

test('"Execute Once" runs the first item alone, and no items are no requests', async () => {
	const none = await sandbox.run({ rows: [] });
	expect([none.run.status, none.output, sandbox.requests]).toEqual(['success', [], []]);
	const { output } = await sandbox.run({ rows, settings: { executeOnce: true } });
	expect([output.length, sandbox.references]).toEqual([1, ['page-0']]);
});

/**
 * How many requests were in progress at most. The server holds them back until there are as many
 * as expected (or no more to come), and then a moment longer, in which more would be seen.
 */
async function mostAtOnce(expected: number, parameters: INodeParameters): Promise<number> {
	const items = 2 * expected;
	const total = parameters.ifReferenceExists === 'skip' ? 2 * items : items;
	const held: Array<() => void> = [];
	let [most, count] = [0, 0];
	const release = (): void => held.splice(0).forEach((answer) => answer());
	const hold = async () => {
		await new Promise<void>((resolve) => {
			most = Math.max(most, held.push(resolve));
			if (++count === total || held.length === expected) setTimeout(release, 30);
		});
		return existing(false);
	};
	const { output, sent } = await sandbox.runAt(hold, { rows: pages(items), parameters });
	expect(output).toHaveLength(items);
	expect(sent).toHaveLength(total);
	return most;
}

test.each<[INodeParameters, number]>([
	[automatic('create'), 5],
	[atOnce(1), 1],
	[atOnce(500), 50],
	[atOnce(0), 5],
	[atOnce(-3), 1],
	[atOnce(2.9), 2],
	[atOnce('8'), 8],
	// An item that asks first is one.
	[{ ...atOnce(3), ifReferenceExists: 'skip' }, 3],
	// Items of n8n's own batches are bounded, too.
	[{ ...atOnce(4), ...batches(6, 10) }, 4],
])('with %j, %i requests are sent at once', async (parameters, most) => {
	expect(await mostAtOnce(most, parameters)).toBe(most);
});

test('the credential is read once for each item, however many requests the item needs', async () => {
	const read: number[] = [];
	await sandbox.run({
		rows: pages(3),
		parameters: automatic('create', { ifReferenceExists: 'error' }),
		onCredentialRead: (itemIndex) => read.push(itemIndex),
	});
	expect(sandbox.requests).toHaveLength(6);
	// n8n itself reads it once more for the first item, before it looks at any.
	expect(read).toEqual([0, 0, 1, 2]);
});
