import type { IDataObject } from 'n8n-workflow';

import { automatic, useSandbox } from './sandbox';

const sandbox = useSandbox();

function page(reference: string): IDataObject {
	return { pageName: reference, paymentPageLinkReference: reference };
}

/** The endpoints that were asked, in order. */
function asked(): string[] {
	return sandbox.requests.map(({ method }) => (method === 'GET' ? 'validate' : 'create'));
}

test('"create" asks nothing: one request per item, also for a reference that exists', async () => {
	await sandbox.run({ rows: [page('a'), page('a')], parameters: automatic('create') });
	expect(asked()).toEqual(['create', 'create']);
	expect(sandbox.service.state.pages.size).toBe(2);
});

test.each(['skip', 'error'])('"%s" asks first and creates what does not exist', async (mode) => {
	const parameters = automatic('create', { ifReferenceExists: mode });
	const { output } = await sandbox.run({ rows: [page('a/b')], parameters });
	expect(asked()).toEqual(['validate', 'create']);
	expect(output[0]?.json).toMatchObject({ id: 1, paymentPageLinkReference: 'a/b' });
});

test('"skip" leaves an existing page alone and says so', async () => {
	await sandbox.run({ rows: [page('a')], parameters: automatic('create') });
	const parameters = automatic('create', { ifReferenceExists: 'skip' });
	const { output } = await sandbox.run({ rows: [page('a'), page('b')], parameters });
	expect(output[0]).toEqual({
		json: {
			skipped: true,
			exists: true,
			id: null,
			paymentPageLink: null,
			paymentPageLinkReference: 'a',
		},
		pairedItem: { item: 0 },
	});
	expect(output[1]?.json).toMatchObject({ paymentPageLinkReference: 'b', id: 2 });
	expect(sandbox.service.state.pages.size).toBe(2);
});

test('"error" fails the item that exists', async () => {
	await sandbox.run({ rows: [page('a')], parameters: automatic('create') });
	const { output, errorOutput } = await sandbox.run({
		rows: [page('b'), page('a'), page('c')],
		parameters: automatic('create', { ifReferenceExists: 'error' }),
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output).toHaveLength(2);
	expect(errorOutput[0]?.json).toMatchObject({
		...page('a'),
		error: 'A page "a" already exists',
		message: expect.stringContaining('Use another reference'),
	});
	expect(sandbox.service.state.pages.size).toBe(3);
});

describe.each([1, 2, 50])('the same reference twice, %i in parallel', (maxParallelRequests) => {
	const rows = ['a', 'b', 'a', 'c', 'a', 'b'].map(page);

	beforeEach(() => {
		sandbox.service.configure({
			faults: [{ endpoint: 'any', kind: 'latency', milliseconds: 0, jitterMilliseconds: 40 }],
		});
	});

	test('"skip" makes one page of each', async () => {
		const parameters = automatic('create', { ifReferenceExists: 'skip', maxParallelRequests });
		const { output } = await sandbox.run({ rows, parameters });
		expect(output.map(({ json }) => json.skipped ?? false)).toEqual([
			false,
			false,
			true,
			false,
			true,
			true,
		]);
		expect(sandbox.service.state.pages.size).toBe(3);
		expect(asked().sort()).toEqual([
			...Array<string>(3).fill('create'),
			...Array<string>(3).fill('validate'),
		]);
	});

	test('"error" fails every further one', async () => {
		const { output, errorOutput } = await sandbox.run({
			rows,
			parameters: automatic('create', { ifReferenceExists: 'error', maxParallelRequests }),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 3 },
		]);
		expect(errorOutput).toHaveLength(3);
		expect(sandbox.service.state.pages.size).toBe(3);
	});
});

test('the second of two with the same reference is created when the first has failed', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', times: 1 }] });
	const { output, errorOutput } = await sandbox.run({
		rows: [page('a'), page('a')],
		parameters: automatic('create', { ifReferenceExists: 'skip' }),
		settings: { onError: 'continueErrorOutput' },
	});
	expect(errorOutput).toHaveLength(1);
	expect(output[0]?.json).toMatchObject({ id: 1 });
});

test('a run that failed at item 400 of 1,000 creates exactly the missing ones with "skip"', async () => {
	const rows = Array.from({ length: 1000 }, (_value, index) => page(`page-${index}`));
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [400] }] });
	const { error } = await sandbox.run({ rows, parameters: automatic('create') });
	const { size } = sandbox.service.state.pages;
	expect(size).toBeGreaterThanOrEqual(399);
	expect(size).toBeLessThanOrEqual(403);
	expect(error?.description).toContain(
		`${size} of 1000 rows are finished. To go on, set 'If Reference Exists' to 'Skip' and run again: only the missing pages are created.`,
	);
	sandbox.requests.length = 0;
	const parameters = automatic('create', { ifReferenceExists: 'skip' });
	const { output } = await sandbox.run({ rows, parameters });
	expect(output).toHaveLength(1000);
	expect(output.filter(({ json }) => json.skipped === true)).toHaveLength(size);
	expect(asked().filter((endpoint) => endpoint === 'create')).toHaveLength(1000 - size);
	const references = [...sandbox.service.state.pages.values()].map(
		(created) => created.paymentPageLinkReference,
	);
	expect(references).toHaveLength(1000);
	expect(new Set(references).size).toBe(1000);
}, 120_000);

describe('the second of two with the same reference, when the answer to the first was lost', () => {
	const rows = [page('a'), page('a')];
	const parameters = automatic('create', { ifReferenceExists: 'skip' });

	beforeEach(() => {
		sandbox.service.configure({
			faults: [{ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 }],
		});
	});

	test('is not created either, for the service may still be busy with the first', async () => {
		const settings = { onError: 'continueErrorOutput' } as const;
		const { output, errorOutput } = await sandbox.run({ rows, parameters, settings });
		expect(output).toEqual([]);
		expect(errorOutput.map(({ json }) => json.error)).toEqual([
			expect.stringContaining('the page "a" does not exist yet'),
			expect.stringContaining('the page "a" does not exist yet'),
		]);
		expect(asked()).toEqual(['validate', 'create', 'validate', 'validate']);
	});

	test('is skipped once the first is there', async () => {
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { output } = await sandbox.run({ rows, parameters, settings });
		expect(output.map(({ json }) => json.skipped ?? false)).toEqual([false, true]);
		expect(sandbox.service.state.pages.size).toBe(1);
	});
});
