import type { IDataObject } from 'n8n-workflow';

import { waitFor } from '../../scripts/shared/waitFor';
import { atOnce, batches, existing, failing, operations, pages, useSandbox } from './sandbox';

/** A node that is not set to continue stops at the first failure and tells what it has done. */
const sandbox = useSandbox();

test('starts nothing more, awaits what is under way, and lists the pages that now exist', async () => {
	// The second ends after the sixth; when the tenth fails, the three before it are under way.
	sandbox.fail(
		{ ...failing('latency', 2), milliseconds: 200 },
		{ ...failing('latency', 7, 8, 9), milliseconds: 2000 },
		failing('wrongCode', 10),
	);
	const { error } = await sandbox.run({ rows: pages(100), parameters: atOnce(4) });
	const made = [...sandbox.service.state.pages.values()].map((page) => {
		const { id, paymentPageLinkReference, paymentPageLink } = page;
		const row = Number(paymentPageLinkReference.replace('page-', '')) + 1;
		return { row, id: Number(id), paymentPageLinkReference, paymentPageLink };
	});
	const finished = made.toSorted((first, second) => first.row - second.row);
	expect(error?.context.data).toMatchObject({ total: 100, finished });
	expect(made).toHaveLength(9);
	expect(sandbox.requests).toHaveLength(10);
	expect(error?.description).toContain('Row 10 of 100 (n8n calls it item 9). 9 of 100 rows are');
});

const onlyMissing = 'run again: only the missing pages are created.';

test.each<[keyof typeof operations, IDataObject, advice: string]>([
	['create', {}, `To go on, set 'If Reference Exists' to 'Skip' and ${onlyMissing}`],
	['skip', {}, `To go on, ${onlyMissing}`],
	// Skip wants a reference of the row's own.
	['create', { paymentPageLinkReference: '' }, 'To go on, remove the finished rows and run again.'],
	['update', {}, 'A new run sends all rows again.'],
	['validate', {}, 'A new run checks all rows again.'],
	['register', {}, 'A new run sends all rows again.'],
])('says how to go on: %s with %j', async (name, change, advice) => {
	let done = 0;
	const { told } = await sandbox.runAt(
		({ method }) => {
			if (name === 'skip' && method === 'GET') return existing(false);
			return done++ === 0 ? existing(true) : { body: '{"responseCode":"91"}' };
		},
		{
			rows: pages(3).map((row) => ({ ...row, ...change })),
			parameters: { ...operations[name], options: atOnce(1).options },
		},
	);
	expect(told).toContain(`1 of 3 rows is finished. ${advice}`);
});

test.each([
	[7, /Row 1 of 7 \(n8n calls it item 0\)\. No row is finished\.$/],
	// Of a single row, no more than what went wrong.
	[1, /explain the code\.$/],
])('says when none of %i rows is finished, though something was sent', async (count, words) => {
	sandbox.fail(failing('wrongCode', 1));
	const { error } = await sandbox.run({ rows: pages(count), parameters: atOnce(1) });
	expect(error?.description).toMatch(words);
	expect(error?.context.data).toMatchObject({ finished: [], total: count });
	expect(sandbox.requests).toHaveLength(1);
});

test('says what is known of a page whose create was in progress', async () => {
	sandbox.fail(failing('wrongCode', 1, 3), failing('cutAfterStoring', 2));
	const { told } = await sandbox.run({ rows: pages(9), parameters: atOnce(3) });
	expect(told).toMatch(/Row 2: .*; a page "page-1" exists, but it may have existed/);
	expect(told).not.toContain('Row 3: ');
});

test('builds one error, however many rows are bad', async () => {
	const { told } = await sandbox.run({ rows: pages(500).map((row) => ({ ...row, amount: 'x' })) });
	expect(told).toContain('Row 1 of 500 (n8n calls it item 0). Nothing was sent.');
	expect(sandbox.requests).toEqual([]);
});

test('starts no further batch', async () => {
	sandbox.fail(failing('wrongCode', 2));
	// Long enough for an answer on a busy machine; n8n waits for all batches.
	const parameters = { ...operations.create, ...batches(1, 1500) };
	const { told } = await sandbox.run({ rows: pages(3), parameters });
	expect(told).toContain('1 of 3 rows is finished.');
	expect(sandbox.requests).toHaveLength(2);
});

test.each([
	['all', {}, /"Page \d/],
	['its batch', { ...batches(5), options: atOnce(1).options }, /"Page [567]/],
])('sends nothing of %s when the expression of one item fails', async (_what, more, notSent) => {
	const pageName =
		'={{ $json.pageName === "Page 7" ? $("Nowhere").first().json.x : $json.pageName }}';
	const { error } = await sandbox.run({ rows: pages(8), parameters: { pageName, ...more } });
	expect(error?.message).toBe("Referenced node doesn't exist");
	// A second run of the same length ends after whatever the first has left behind.
	const after = '=After {{ $json.pageName }}';
	await sandbox.run({ rows: pages(8), parameters: { pageName: after, ...more } });
	const sent = sandbox.requests.map(({ body }) => body.toString());
	expect(sent.filter((text) => text.includes('After'))).toHaveLength(8);
	expect(sent.filter((text) => notSent.test(text))).toEqual([]);
});

describe('a canceled execution', () => {
	/** Starts one, and does what the stop button does once this holds. */
	async function canceled(given: Parameters<typeof sandbox.start>[0], isReached: () => boolean) {
		const execution = sandbox.start(given);
		await waitFor(isReached, { what: 'what it waits for' });
		execution.cancel();
		const outcome = await execution.finished;
		expect(outcome.run.status).toBe('canceled');
		return outcome;
	}

	// Not cut short, a wait would outlast the time that a test has.
	test.each([
		[
			'tooManyRequests',
			'stopWorkflow',
			() => sandbox.requests.some(({ status }) => status === 429),
		],
		['hang', 'continueErrorOutput', () => sandbox.requests.length === 3],
	] as const)('sends nothing more, and cuts waits short: %s, %s', async (kind, onError, isMet) => {
		sandbox.fail({ endpoint: 'create', kind, retryAfterSeconds: 50 });
		await canceled({ rows: pages(20), parameters: atOnce(3), settings: { onError } }, isMet);
		expect(sandbox.requests.length).toBeLessThanOrEqual(3);
	});

	const isLost =
		/canceled before it was known whether the page "page-0" was created .*so that no page is created twice/;

	test.each<[keyof typeof operations, after: RegExp, words: RegExp]>([
		['create', /Validate/, isLost],
		['update', /Update$/, /canceled .* may still have been processed/],
		['validate', /Validate/, /canceled before the row was finished Run the/],
	])('says what may have happened to what was lost: %s', async (name, after, words) => {
		sandbox.fail(
			{ endpoint: 'create', kind: 'cutAfterStoring' },
			{ endpoint: 'validate', kind: 'tooManyRequests', retryAfterSeconds: 50 },
			{ endpoint: 'update', kind: 'serverError', status: 502 },
		);
		const { told } = await canceled({ rows: pages(1), parameters: operations[name] }, () =>
			sandbox.requests.some(({ url, status }) => after.test(url) && status !== null),
		);
		expect(told).toMatch(words);
	});
});

test('an item that waits for another execution is not started when its own has failed', async () => {
	// The first execution creates "a"; the second waits for it with "a" and fails with "b".
	sandbox.fail({ ...failing('latency', 1), milliseconds: 1000 }, failing('wrongCode', 2));
	const start = (...references: string[]) => {
		const rows = references.map((paymentPageLinkReference) => ({ paymentPageLinkReference }));
		return sandbox.start({ rows, parameters: operations.skip });
	};
	const first = start('a');
	await waitFor(() => sandbox.requests.length === 2, { what: 'the create of the first' });
	const { error } = await start('a', 'b').finished;
	await first.finished;
	expect(error?.message).toContain('The service rejected the request');
	const asked = sandbox.requests.filter(({ method }) => method === 'GET');
	expect(asked.map(({ url }) => url.at(-1)).sort()).toEqual(['a', 'b']);
});
