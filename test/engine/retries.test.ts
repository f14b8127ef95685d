import type { INode } from 'n8n-workflow';

import { startSandbox, type FaultRule } from '../../sandbox';
import { freePort } from '../../scripts/shared/ports';
import { waitFor } from '../../scripts/shared/waitFor';
import { useQuickWaits } from '../support/quickWaits';
import { atOnce, batches, continues, failing, pages, triesAgain, useSandbox } from './sandbox';

/** Tries of the node's own, and of n8n's "Retry On Fail": what is done is not done again. */
const sandbox = useSandbox();

const rows = pages(20);

test('a service that is busy is left alone by all items for as long as it asks', async () => {
	sandbox.fail(
		{ ...failing('tooManyRequests', 1), retryAfterSeconds: 1 },
		{ ...failing('latency', 2), milliseconds: 100 },
	);
	const { output } = await sandbox.run({ rows: pages(9), parameters: atOnce(2) });
	const [first = NaN, second = NaN, third = NaN] = sandbox.requests.map(({ at }) => at);
	expect(third - first).toBeGreaterThanOrEqual(990);
	expect(second).toBeLessThan(third);
	expect(sandbox.requests).toHaveLength(10);
	expect(output).toHaveLength(9);
});

describe('with quick waits', () => {
	useQuickWaits();

	test('a service out of reach is waited for by the first items, not by all', async () => {
		const { errorOutput } = await sandbox.run({
			rows: [...rows, ...rows.map((row) => ({ ...row, amount: 5 }))],
			parameters: atOnce(3),
			credential: { baseUrl: `http://127.0.0.1:${await freePort()}` },
			settings: continues,
		});
		expect(errorOutput).toHaveLength(40);
		expect(sandbox.retries).toBe(3 * 3);
	});

	test.each<[INode['onError'], creates: number[], sent: number, failed: number[], limit?: number]>([
		['stopWorkflow', [8, 17], 22, [], 5],
		['stopWorkflow', [8, 12, 16], 16, [13, 14, 15, 16, 17, 18, 19]],
		['continueErrorOutput', [1], 21, []],
		['continueRegularOutput', [1], 21, []],
		// First try: items 0 and 2 fail; second: both; third: item 0 fails again, item 2 succeeds.
		['continueErrorOutput', [1, 3, 21, 22, 23], 24, [0]],
	])('each try sends what is missing: "%s", where creates %j fail', async (...given) => {
		const [onError, nth, sent, failed, maxParallelRequests = 1] = given;
		sandbox.fail(failing('wrongCode', ...nth));
		const { told, output, errorOutput } = await sandbox.run({
			rows,
			// It does not meet its own pages as existing ones.
			parameters: { ...atOnce(maxParallelRequests), ifReferenceExists: 'error' },
			settings: { ...triesAgain, onError },
		});
		expect(sandbox.methods.match(/POST/g)).toHaveLength(sent);
		const done = [...rows.keys()].filter((item) => !failed.includes(item));
		const references = done.map((item) => `page-${item}`);
		expect(sandbox.references.toSorted()).toEqual(references.toSorted());
		if (onError === 'stopWorkflow' && failed.length > 0) {
			// The error counts what all tries have done.
			expect(told).toContain('13 of 20 rows are finished.');
		} else {
			const items = (those: number[]) =>
				those.map((item) => ({ json: { pageName: `Page ${item}` }, pairedItem: { item } }));
			expect(output).toMatchObject(items(done));
			expect(errorOutput).toMatchObject(items(failed));
		}
	});

	test('waits for what the try before has in progress, before it sends anything again', async () => {
		// With batching, n8n gives a try up while items of it are still in progress.
		sandbox.fail({ ...failing('latency', 1, 2), milliseconds: 150 });
		const rest = '$json.pageName === "Page 2" ? $("Nowhere").first().json.x : $json.pageName';
		const { run } = await sandbox.run({
			rows: pages(3),
			parameters: { pageName: `={{ ${rest} }}`, ...batches(2, 500) },
			settings: triesAgain,
		});
		expect(run.status).toBe('error');
		// n8n does not wait for them, so they end after the run.
		await waitFor(() => sandbox.references.length === 2, { what: 'both pages' });
		expect(sandbox.references.toSorted()).toEqual(['page-0', 'page-1']);
		expect(sandbox.requests).toHaveLength(2);
	});

	const unclear: FaultRule = { endpoint: 'validate', kind: 'html', nth: [2] };
	const [cut, stored] = [failing('cutBeforeStoring', 1), failing('cutAfterStoring', 1)];
	const older = 'exists, but it may have existed before';

	test.each<[what: string, methods: string, choice: string, ...FaultRule[]]>([
		['not sent again: an older page', 'POST GET GET GET', 'create', stored],
		['sent again: no such page', 'POST GET GET POST', 'create', cut],
		['recovered, as that was clear only later', 'GET POST GET GET', 'error', stored, unclear],
	])('a create whose answer was lost is %s', async (_what, methods, choice, ...faults) => {
		sandbox.fail(...faults);
		const { output, told } = await sandbox.run({
			// Each try gets another reference, and asks for the one that was sent.
			parameters: {
				...{ pageName: 'A', ifReferenceExists: choice },
				paymentPageLinkReference: '=a-{{ $now.toMillis() }}',
			},
			settings: triesAgain,
		});
		expect(sandbox.methods).toBe(methods);
		const [first, second = first] = sandbox.bodies;
		expect(second).toEqual(first);
		expect(sandbox.references).toHaveLength(1);
		const [reference] = sandbox.references;
		const page = { paymentPageLinkReference: reference };
		const json = choice === 'error' ? { ...page, recovered: true } : page;
		if (methods === 'POST GET GET GET') expect(told).toContain(older);
		else expect(output).toMatchObject([{ json }]);
	});
});

test('a service that comes up while it is tried gets each page once', async () => {
	const port = await freePort();
	const running = sandbox.run({ rows, credential: { baseUrl: `http://127.0.0.1:${port}/api` } });
	const later = await startSandbox({ port });
	const { output } = await running;
	expect(output).toHaveLength(20);
	expect(later.state.pages.size).toBe(20);
	await later.stop();
});
