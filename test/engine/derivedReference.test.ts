import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

/** An empty reference is made from the page name: nobody typed it, so nobody shares it on purpose. */
const sandbox = useSandbox();

const shared = (reference: string) =>
	`'Reference' is empty, and the one made from 'Page Name', "${reference}", is that of another row, too`;

const continues = { onError: 'continueErrorOutput' } as const;

const references = () =>
	[...sandbox.service.state.pages.values()].map((page) => page.paymentPageLinkReference);

describe.each(['create', 'error'])('with "%s", several rows of one name', (ifReferenceExists) => {
	const parameters: INodeParameters = {
		pageName: 'Monthly fee',
		amount: '={{ $json.total }}',
		isFixedAmount: true,
		ifReferenceExists,
	};

	test.each([
		[[10, 20, 30]],
		// Not even equal rows: the second page would be that of the first.
		[[10, 10]],
	])('make no page with the amounts %j', async (amounts) => {
		const rows = amounts.map((total) => ({ total }));
		const { error } = await sandbox.run({ rows, parameters });
		expect(error?.message).toBe(shared('monthly-fee'));
		expect(error?.description).toContain('such as the invoice number');
		expect(error?.description).toContain('Nothing was sent.');
		expect(sandbox.requests).toEqual([]);
		const { errorOutput } = await sandbox.run({ rows, parameters, settings: continues });
		expect(errorOutput).toHaveLength(amounts.length);
		expect(sandbox.requests).toEqual([]);
	});
});

test.each([
	['Zoë', 'Zoe'],
	['Müller & Co', 'Muller Co.'],
	['Invoice 1', 'invoice  1'],
])('%s and %s are one address', async (...names) => {
	const rows = names.map((pageName) => ({ pageName }));
	const { errorOutput } = await sandbox.run({
		rows,
		parameters: automatic('create'),
		settings: continues,
	});
	expect(errorOutput).toHaveLength(2);
	expect(sandbox.requests).toEqual([]);
});

test('a row that typed the same reference is made, whichever comes first', async () => {
	const typed = { pageName: 'B', paymentPageLinkReference: 'Monthly-Fee' };
	const derived = { pageName: 'Monthly fee' };
	for (const rows of [
		[typed, derived],
		[derived, typed],
	]) {
		await sandbox.service.reset();
		const { output, errorOutput } = await sandbox.run({
			rows,
			parameters: automatic('create'),
			settings: continues,
		});
		expect(output.map(({ json }) => json.pageName)).toEqual(['B']);
		expect(errorOutput.map(({ json }) => json.error)).toEqual([shared('monthly-fee')]);
	}
});

test('the row of a later batch is rejected for one that has its page', async () => {
	const batching = { batch: { batchSize: 1, batchInterval: 1 } };
	const { output, errorOutput } = await sandbox.run({
		rows: [10, 20, 30].map((amount) => ({ pageName: 'Fee', amount })),
		parameters: { ...automatic('create'), requestOptions: { batching } },
		settings: continues,
	});
	expect(output.map(({ json }) => json.amount)).toEqual([10]);
	expect(errorOutput.map(({ json }) => json.error)).toEqual([shared('fee'), shared('fee')]);
	expect(references()).toEqual(['fee']);
});

test('another try of n8n rejects the same rows, and sends the others once', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [1] }] });
	const { output, errorOutput } = await sandbox.run({
		rows: ['A', 'Fee', 'fee'].map((pageName) => ({ pageName })),
		parameters: automatic('create'),
		settings: { ...continues, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(output.map(({ json }) => json.pageName)).toEqual(['A']);
	expect(errorOutput).toHaveLength(2);
	expect(references()).toEqual(['a']);
});

test.each<[string, IDataObject, INodeParameters]>([
	['mapped automatically', { pageName: 'Fee' }, automatic('create')],
	[
		'with each field below',
		{ no: '', total: 5 },
		{
			pageName: 'Fee',
			amount: '={{ $json.total }}',
			paymentPageLinkReference: '={{ $json.no }}',
		},
	],
])(
	'Skip wants a typed one, since last month’s page would be met: %s',
	async (_mode, row, fields) => {
		const parameters = { ...fields, ifReferenceExists: 'skip' };
		const { error } = await sandbox.run({ rows: [row], parameters });
		expect(error?.message).toBe("'Reference' is empty, but 'If Reference Exists' is set to 'Skip'");
		expect(sandbox.requests).toEqual([]);
	},
);

test('with Fail, the page of an earlier run stops it', async () => {
	const parameters = automatic('create', { ifReferenceExists: 'error' });
	await sandbox.run({ rows: [{ pageName: 'Fee' }], parameters });
	const { error } = await sandbox.run({ rows: [{ pageName: 'Fee' }], parameters });
	expect(error?.message).toBe('A page "fee" already exists');
	expect(error?.description).not.toContain("'Skip'");
	expect(references()).toEqual(['fee']);
});
