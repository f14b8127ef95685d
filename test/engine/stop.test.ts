import type { IDataObject } from 'n8n-workflow';

import { waitFor } from '../../scripts/shared/waitFor';
import { startExecution } from './harness';
import { automatic, credentialsFor, useSandbox } from './sandbox';

/** A node that is not set to continue stops at the first failure and tells what it has done. */
const sandbox = useSandbox();

function rows(count: number): IDataObject[] {
	return Array.from({ length: count }, (_value, index) => ({
		pageName: `Page ${index}`,
		paymentPageLinkReference: `page-${index}`,
	}));
}

interface Told {
	finished: Array<{
		row: number;
		id: number;
		paymentPageLinkReference: string;
		paymentPageLink: string;
	}>;
	total: number;
}

test('starts nothing more, awaits what is under way, and lists the pages that now exist', async () => {
	// The second ends after the sixth; when the tenth fails, the three before it are under way.
	sandbox.service.configure({
		faults: [
			{ endpoint: 'create', kind: 'latency', milliseconds: 200, nth: [2] },
			{ endpoint: 'create', kind: 'latency', milliseconds: 600, nth: [7, 8, 9] },
			{ endpoint: 'create', kind: 'wrongCode', nth: [10] },
		],
	});
	const { error } = await sandbox.run({
		rows: rows(100),
		parameters: automatic('create', { maxParallelRequests: 4 }),
	});
	const pages = [...sandbox.service.state.pages.values()];
	const { finished, total } = error?.context.data as Told;
	expect(total).toBe(100);
	expect(finished.map(({ id }) => String(id)).sort()).toEqual(pages.map(({ id }) => id).sort());
	for (const { row, id, paymentPageLinkReference, paymentPageLink } of finished) {
		const page = sandbox.service.state.pages.get(String(id));
		expect(paymentPageLinkReference).toBe(`page-${row - 1}`);
		expect(page).toMatchObject({ paymentPageLinkReference, paymentPageLink });
	}
	const rowsFinished = finished.map(({ row }) => row);
	expect(rowsFinished).toEqual([...rowsFinished].sort((first, second) => first - second));
	expect(sandbox.requests).toHaveLength(10);
	expect(pages).toHaveLength(9);
	expect(error?.description).toContain(
		"Row 10 of 100 (n8n calls it item 9). 9 of 100 rows are finished. To go on, set 'If Reference Exists' to 'Skip' and run again: only the missing pages are created.",
	);
});

test('advises rows without a reference of their own to be removed, for Skip wants one', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [3] }] });
	const { error } = await sandbox.run({
		rows: rows(4).map(({ pageName }) => ({ pageName })),
		parameters: automatic('create', { maxParallelRequests: 1 }),
	});
	expect(error?.description).toMatch(
		/ 2 of 4 rows are finished\. To go on, remove the finished rows and run again\.$/,
	);
});

test('says when no row is finished, though something was sent', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode' }] });
	const { error } = await sandbox.run({
		rows: rows(7),
		parameters: automatic('create', { maxParallelRequests: 1 }),
	});
	expect(error?.description).toMatch(/Row 1 of 7 \(n8n calls it item 0\)\. No row is finished\.$/);
	expect(error?.context.data).toMatchObject({ finished: [], total: 7 });
	expect(sandbox.requests).toHaveLength(1);
});

test('says what is known of a page whose create was in progress', async () => {
	sandbox.service.configure({
		faults: [
			{ endpoint: 'create', kind: 'wrongCode', nth: [1] },
			{ endpoint: 'create', kind: 'cutAfterStoring', nth: [2] },
			{ endpoint: 'create', kind: 'wrongCode', nth: [3] },
		],
	});
	const { error } = await sandbox.run({
		rows: rows(9),
		parameters: automatic('create', { maxParallelRequests: 3 }),
	});
	expect(error?.description).toMatch(/Row 2: .*; a page "page-1" exists, but it may have existed/);
	expect(error?.description).not.toContain('Row 3: ');
});

test('builds one error, however many rows are bad', async () => {
	const { error } = await sandbox.run({
		rows: rows(500).map((row) => ({ ...row, amount: 'x' })),
		parameters: automatic('create'),
	});
	expect(error?.description).toContain('Row 1 of 500 (n8n calls it item 0). Nothing was sent.');
	expect(error?.context.data).not.toHaveProperty('failed');
	expect(sandbox.requests).toEqual([]);
});

test('starts no further batch', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [2] }] });
	const { error } = await sandbox.run({
		rows: rows(6),
		parameters: {
			...automatic('create'),
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 100 } } },
		},
	});
	expect(error?.description).toContain('1 of 6 rows is finished.');
	expect(sandbox.requests).toHaveLength(2);
});

test('sends nothing at all when the expression of one item fails', async () => {
	const value = '={{ $json.pageName === "Page 6" ? $("Nowhere").first().json.x : $json.pageName }}';
	const { run, error } = await sandbox.run({ rows: rows(8), parameters: { pageName: value } });
	expect(run.status).toBe('error');
	expect(error?.message).toBe("Referenced node doesn't exist");
	// A second run of the same length ends after whatever the first has left behind.
	await sandbox.run({ rows: rows(8), parameters: automatic('create') });
	expect(sandbox.requests).toHaveLength(8);
});

test('a canceled execution sends nothing more, and cuts waits and requests short', async () => {
	sandbox.service.configure({
		faults: [{ endpoint: 'create', kind: 'tooManyRequests', retryAfterSeconds: 50 }],
	});
	const execution = startExecution({
		rows: rows(20),
		parameters: automatic('create', { maxParallelRequests: 3 }),
		credentials: credentialsFor(sandbox.service),
	});
	await waitFor(() => sandbox.requests.filter(({ status }) => status === 429).length === 3, {
		what: 'three refused requests',
	});
	// Not cut short, a wait would outlast the time that a test has.
	execution.cancel();
	const { run } = await execution.finished;
	expect(run.status).toBe('canceled');
	expect(sandbox.requests).toHaveLength(3);
});

test('a canceled execution is canceled also where the node continues', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'hang' }] });
	const execution = startExecution({
		rows: rows(20),
		parameters: automatic('create', { maxParallelRequests: 3 }),
		credentials: credentialsFor(sandbox.service),
		settings: { onError: 'continueErrorOutput' },
	});
	await waitFor(() => sandbox.requests.length === 3, { what: 'three requests' });
	execution.cancel();
	const { run } = await execution.finished;
	expect(run.status).toBe('canceled');
	expect(sandbox.requests).toHaveLength(3);
});

test('sends nothing of a batch in which the expression of one item fails', async () => {
	const value = '={{ $json.pageName === "Page 7" ? $("Nowhere").first().json.x : $json.pageName }}';
	const { run, error } = await sandbox.run({
		rows: rows(8),
		parameters: {
			pageName: value,
			options: { maxParallelRequests: 1 },
			requestOptions: { batching: { batch: { batchSize: 5, batchInterval: 1 } } },
		},
	});
	expect(run.status).toBe('error');
	expect(error?.message).toBe("Referenced node doesn't exist");
	await sandbox.run({ rows: rows(8), parameters: { pageName: 'After' } });
	const sent = sandbox.requests.map(({ body }) => body.toString());
	expect(sent.filter((text) => /Page [567]/.test(text))).toEqual([]);
});

test('a cancel while a lost create is looked for says that the page may exist', async () => {
	sandbox.service.configure({
		faults: [
			{ endpoint: 'create', kind: 'cutAfterStoring' },
			{ endpoint: 'validate', kind: 'tooManyRequests', retryAfterSeconds: 50 },
		],
	});
	const execution = startExecution({
		rows: rows(1),
		parameters: automatic('create'),
		credentials: credentialsFor(sandbox.service),
	});
	await waitFor(() => sandbox.requests.some(({ status }) => status === 429), {
		what: 'the question for the page',
	});
	execution.cancel();
	const { run, error } = await execution.finished;
	expect(run.status).toBe('canceled');
	expect(error?.message).toContain(
		'canceled before it was known whether the page "page-0" was created',
	);
	expect(error?.description).toContain('so that no page is created twice');
});

test('a cancel before an answer that was lost is asked for again says what may have happened', async () => {
	sandbox.service.configure({
		faults: [{ endpoint: 'update', kind: 'serverError', status: 502 }],
	});
	const execution = startExecution({
		rows: rows(1),
		parameters: automatic('update'),
		credentials: credentialsFor(sandbox.service),
	});
	await waitFor(() => sandbox.requests.some(({ status }) => status === 502), {
		what: 'the answer of a gateway',
	});
	execution.cancel();
	const { run, error } = await execution.finished;
	expect(run.status).toBe('canceled');
	expect(`${error?.message} ${error?.description}`).toMatch(/may still have been processed/);
});

describe('an item that waits for another execution with its reference', () => {
	/** The first execution creates "a"; the second waits for it with "a" and fails with "b". */
	async function startBoth(secondRows: IDataObject[]) {
		const start = (items: IDataObject[]) =>
			startExecution({
				rows: items,
				parameters: automatic('create', { ifReferenceExists: 'skip' }),
				credentials: credentialsFor(sandbox.service),
			});
		sandbox.service.configure({
			faults: [
				{ endpoint: 'create', kind: 'latency', milliseconds: 1000, nth: [1] },
				{ endpoint: 'create', kind: 'wrongCode', nth: [2] },
			],
		});
		const first = start([{ paymentPageLinkReference: 'a' }]);
		await waitFor(() => sandbox.requests.length === 2, { what: 'the create of the first' });
		return { first, second: start(secondRows) };
	}

	const questionsFor = (reference: string) =>
		sandbox.requests.filter(({ method, url }) => method === 'GET' && url.endsWith(`/${reference}`));

	test('is not started when its own execution has failed meanwhile', async () => {
		const rowsOfSecond = ['a', 'b'].map((paymentPageLinkReference) => ({
			paymentPageLinkReference,
		}));
		const { first, second } = await startBoth(rowsOfSecond);
		const { error } = await second.finished;
		await first.finished;
		expect(error?.message).toContain('The service rejected the request');
		expect(questionsFor('b')).toHaveLength(1);
		expect(questionsFor('a')).toHaveLength(1);
	});
});
