import type { IDataObject, INode } from 'n8n-workflow';

import { waitFor } from '../../scripts/shared/waitFor';
import { automatic, useSandbox } from './sandbox';

/** n8n's "Retry On Fail" runs the whole node again; the node resumes instead of repeating. */
const sandbox = useSandbox();

const settings: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const rows: IDataObject[] = Array.from({ length: 20 }, (_value, index) => ({
	pageName: `Page ${index}`,
	paymentPageLinkReference: `page-${index}`,
}));

function references(): string[] {
	return [...sandbox.service.state.pages.values()].map((page) => page.paymentPageLinkReference);
}

function expectEachPageOnce(): void {
	expect(references().sort()).toEqual(rows.map((row) => row.paymentPageLinkReference).sort());
}

test.each([1, 5])('sends only what failed or was not started, %i in parallel', async (parallel) => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [8, 17] }] });
	const { run, output } = await sandbox.run({
		rows,
		parameters: automatic('create', { maxParallelRequests: parallel }),
		settings,
	});
	expect(run.status).toBe('success');
	expect(sandbox.requests).toHaveLength(22);
	expectEachPageOnce();
	expect(output.map(({ json }) => json.pageName)).toEqual(rows.map(({ pageName }) => pageName));
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_row, item) => ({ item })));
});

test('ends with an error that counts what all tries have done', async () => {
	sandbox.service.configure({
		faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [8, 12, 16] }],
	});
	const { run, error } = await sandbox.run({
		rows,
		parameters: automatic('create', { maxParallelRequests: 1 }),
		settings,
	});
	expect(run.status).toBe('error');
	expect(sandbox.requests).toHaveLength(16);
	expect(error?.description).toContain('13 of 20 rows are finished.');
	expect(error?.context.data).toMatchObject({ total: 20 });
	expect(references()).toHaveLength(13);
});

test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'resumes with %s when the first item has failed',
	async (onError) => {
		sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [1] }] });
		const { run, output, errorOutput } = await sandbox.run({
			rows,
			parameters: automatic('create', { maxParallelRequests: 1 }),
			settings: { ...settings, onError },
		});
		expect(run.status).toBe('success');
		expect(output).toHaveLength(20);
		expect(errorOutput).toEqual([]);
		expect(sandbox.requests).toHaveLength(21);
		expectEachPageOnce();
	},
);

test('keeps the failed items of the last try on the error output', async () => {
	sandbox.service.configure({
		faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [1, 3, 21, 22, 23] }],
	});
	const { output, errorOutput } = await sandbox.run({
		rows,
		parameters: automatic('create', { maxParallelRequests: 1 }),
		settings: { ...settings, onError: 'continueErrorOutput' },
	});
	// First try: items 0 and 2 fail; second: both; third: item 0 fails again, item 2 succeeds.
	expect(sandbox.requests).toHaveLength(24);
	expect(errorOutput.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	expect(output).toHaveLength(19);
});

test('refuses a bad value in every try, and sends nothing', async () => {
	const { run, error } = await sandbox.run({
		rows: [...rows, { pageName: 'Bad', amount: 'x' }],
		parameters: automatic('create'),
		settings,
	});
	expect(run.status).toBe('error');
	expect(error?.message).toMatch(/^'Amount' \(amount\) /);
	expect(sandbox.requests).toEqual([]);
});

test('does not meet its own pages as existing ones', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [8] }] });
	const { output } = await sandbox.run({
		rows,
		parameters: automatic('create', { ifReferenceExists: 'error' }),
		settings,
	});
	expect(output).toHaveLength(20);
	expectEachPageOnce();
});

test('waits for what the try before has under way, before it sends anything again', async () => {
	// With batching, n8n gives a try up while items of it are still under way.
	sandbox.service.configure({
		faults: [{ endpoint: 'create', kind: 'latency', milliseconds: 150, nth: [1, 2] }],
	});
	const rest = '$json.pageName === "Page 2" ? $("Nowhere").first().json.x : $json.pageName';
	const { run } = await sandbox.run({
		rows: rows.slice(0, 3),
		parameters: {
			pageName: `={{ ${rest} }}`,
			requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 20 } } },
		},
		settings,
	});
	expect(run.status).toBe('error');
	// n8n does not wait for them, so they end after the run.
	await waitFor(() => references().length === 2, { what: 'both pages' });
	expect(references().sort()).toEqual(['page-0', 'page-1']);
	expect(sandbox.requests).toHaveLength(2);
});

describe('a create whose answer was lost', () => {
	test('is asked for by the reference that was sent, though the expression gives another', async () => {
		sandbox.service.configure({
			faults: [{ endpoint: 'create', kind: 'cutAfterStoring', times: 1 }],
		});
		const { error } = await sandbox.run({
			rows: [{}],
			parameters: { pageName: 'A', paymentPageLinkReference: '=a-{{ $now.toMillis() }}' },
			settings,
		});
		expect(error?.message).toContain('exists, but it may have existed before');
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
		expect(references()).toHaveLength(1);
	});

	test('is sent again as it was, when the page is not there', async () => {
		sandbox.service.configure({
			faults: [{ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 }],
		});
		const { output } = await sandbox.run({
			rows: [{}],
			parameters: { pageName: 'A', paymentPageLinkReference: '=a-{{ $now.toMillis() }}' },
			settings,
		});
		const [first, , , second] = sandbox.requests;
		expect(second?.body).toEqual(first?.body);
		expect(output.map(({ json }) => json.paymentPageLinkReference)).toEqual(references());
	});

	const [row = {}] = rows;
	const methods = () => sandbox.requests.map(({ method }) => method);
	const create = async (ifReferenceExists: string) =>
		await sandbox.run({
			rows: [row],
			parameters: automatic('create', { ifReferenceExists }),
			settings,
		});

	test('is not sent again when a page is there that may be older', async () => {
		sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'cutAfterStoring' }] });
		const { run, error } = await create('create');
		expect(run.status).toBe('error');
		expect(error?.message).toContain('exists, but it may have existed before');
		expect(methods()).toEqual(['POST', 'GET', 'GET', 'GET']);
		expect(references()).toEqual(['page-0']);
	});

	test('is sent again when the service says that no such page exists', async () => {
		sandbox.service.configure({
			faults: [{ endpoint: 'create', kind: 'cutBeforeStoring', nth: [1] }],
		});
		const { run } = await create('create');
		expect(run.status).toBe('success');
		expect(methods()).toEqual(['POST', 'GET', 'GET', 'POST']);
		expect(references()).toEqual(['page-0']);
	});

	test('is recovered as our own page when that can be asked only later', async () => {
		sandbox.service.configure({
			faults: [
				{ endpoint: 'create', kind: 'cutAfterStoring', nth: [1] },
				{ endpoint: 'validate', kind: 'html', nth: [2] },
			],
		});
		const { run, output } = await create('error');
		expect(run.status).toBe('success');
		expect(output[0]?.json).toMatchObject({ paymentPageLinkReference: 'page-0', recovered: true });
		expect(methods()).toEqual(['GET', 'POST', 'GET', 'GET']);
		expect(references()).toEqual(['page-0']);
	});
});
