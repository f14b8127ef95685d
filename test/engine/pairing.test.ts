import type { FaultRule } from '../../sandbox';
import { automatic, useSandbox } from './sandbox';

const sandbox = useSandbox();

const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
	crmId: `crm-${number}`,
	pageName: `Page ${number}`,
	paymentPageLinkReference: `page-${number}`,
}));

const lookAt = '={{ $("Rows").item.json.crmId + " via " + $("Payment Page").item.json.pageName }}';

test('outputs come in the order of the items, each paired with its own', async () => {
	sandbox.service.configure({
		// The first page is made last: so the service's IDs tell that the order is not its own.
		faults: [{ endpoint: 'create', kind: 'latency', nth: [1], milliseconds: 1_000 }],
	});
	const { output, looked } = await sandbox.run({ rows, parameters: automatic('create'), lookAt });
	expect(output.map(({ json }) => json.pageName)).toEqual(rows.map(({ pageName }) => pageName));
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_row, item) => ({ item })));
	expect(looked).toEqual(rows.map(({ crmId, pageName }) => `${crmId} via ${pageName}`));
	const ids = output.map(({ json }) => Number(json.id));
	expect(ids).not.toEqual([...ids].sort((first, second) => first - second));
});

describe('when items fail', () => {
	const fault: FaultRule = {
		endpoint: 'create',
		kind: 'wrongCode',
		nth: [2, 5],
		code: '51',
		message: 'Not now',
	};
	const parameters = automatic('create', { maxParallelRequests: 1 });
	const failures = { error: 'The service rejected the request: Not now (code "51")' };

	test('both branches are paired with the error output', async () => {
		sandbox.service.configure({ faults: [fault] });
		const { run, output, errorOutput, looked, lookedAtError } = await sandbox.run({
			rows,
			parameters,
			settings: { onError: 'continueErrorOutput' },
			lookAt: '={{ $("Rows").item.json.crmId }}',
		});
		expect(run.status).toBe('success');
		expect(output).toHaveLength(6);
		expect(looked).toEqual(['crm-1', 'crm-3', 'crm-4', 'crm-6', 'crm-7', 'crm-8']);
		expect(lookedAtError).toEqual(['crm-2', 'crm-5']);
		expect(errorOutput.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 4 }]);
	});

	const advice = (item: number): unknown => expect.stringContaining(`(n8n calls it item ${item})`);

	test('each carries its input, its message and its code among the others', async () => {
		sandbox.service.configure({ faults: [fault] });
		const settings = { onError: 'continueRegularOutput' } as const;
		const { output } = await sandbox.run({ rows, parameters, settings });
		expect(output).toHaveLength(8);
		const code = { httpCode: '200', responseCode: '51' };
		expect(output.filter(({ json }) => json.error !== undefined)).toEqual([
			{
				json: { ...rows[1], ...failures, details: { description: advice(1), ...code } },
				pairedItem: { item: 1 },
			},
			{
				json: { ...rows[4], ...failures, details: { description: advice(4), ...code } },
				pairedItem: { item: 4 },
			},
		]);
	});

	test('each carries its input, its message and its code on the error output', async () => {
		sandbox.service.configure({ faults: [fault] });
		const settings = { onError: 'continueErrorOutput' } as const;
		const { errorOutput } = await sandbox.run({ rows, parameters, settings });
		expect(errorOutput.map(({ json }) => json)).toEqual([
			{ ...rows[1], ...failures, message: advice(1) },
			{ ...rows[4], ...failures, message: advice(4) },
		]);
	});

	test('all others are sent', async () => {
		sandbox.service.configure({ faults: [fault] });
		await sandbox.run({ rows, parameters, settings: { onError: 'continueErrorOutput' } });
		expect(sandbox.requests).toHaveLength(8);
		expect(sandbox.service.state.pages.size).toBe(6);
	});
});

test('"Execute Once" runs the first item alone', async () => {
	const { output } = await sandbox.run({
		rows,
		parameters: automatic('create'),
		settings: { executeOnce: true },
	});
	expect(output).toHaveLength(1);
	expect(sandbox.requests).toHaveLength(1);
});

test('no items, no requests', async () => {
	const { run } = await sandbox.run({ rows: [], parameters: automatic('create') });
	expect(run.status).toBe('success');
	expect(sandbox.requests).toEqual([]);
});
