import { createServer, type AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { mixedFaults, startSandbox, type FaultRule } from '../../sandbox';
import { waitFor } from '../../scripts/shared/waitFor';
import { useQuickWaits } from '../support/quickWaits';
import { retriesLogged } from './harness/retriesLogged';
import { automatic, continues, operations, told, triesAgain, useSandbox } from './sandbox';

/** Tries of the node's own, and of n8n's "Retry On Fail": what is done is not done again. */
const sandbox = useSandbox();

const rows: IDataObject[] = Array.from({ length: 20 }, (_value, index) => ({
	pageName: `Page ${index}`,
	paymentPageLinkReference: `page-${index}`,
}));
const all = rows.map((row) => row.paymentPageLinkReference).sort();
const inTurn = automatic('create', { maxParallelRequests: 1 });

test('a service that is busy is left alone by all items for as long as it asks', async () => {
	sandbox.fail(
		{ endpoint: 'create', kind: 'tooManyRequests', times: 1, retryAfterSeconds: 1 },
		{ endpoint: 'create', kind: 'latency', milliseconds: 100, nth: [2] },
	);
	const parameters = automatic('create', { maxParallelRequests: 2 });
	const { output } = await sandbox.run({ rows: rows.slice(0, 9), parameters });
	const [first = NaN, second = NaN, third = NaN] = sandbox.requests.map(({ at }) => at);
	expect(third - first).toBeGreaterThanOrEqual(990);
	expect(second).toBeLessThan(third);
	expect(sandbox.requests).toHaveLength(10);
	expect(output).toHaveLength(9);
});

describe('with quick waits', () => {
	useQuickWaits();

	async function freePort(): Promise<number> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		await new Promise((resolve) => server.close(resolve));
		return port;
	}

	test('a service out of reach is waited for by the first items, not by all', async () => {
		const { errorOutput } = await sandbox.run({
			rows: [...rows, ...rows.map((row) => ({ ...row, amount: 5 }))],
			parameters: automatic('create', { maxParallelRequests: 3 }),
			credential: { baseUrl: `http://127.0.0.1:${await freePort()}` },
			settings: continues,
		});
		expect(errorOutput).toHaveLength(40);
		expect(retriesLogged()).toBe(3 * 3);
	});

	test.each([1, 5])('sends only what failed or was not started, %i at once', async (limit) => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode', nth: [8, 17] });
		const { output } = await sandbox.run({
			rows,
			parameters: automatic('create', { maxParallelRequests: limit, ifReferenceExists: 'error' }),
			settings: triesAgain,
		});
		// It does not meet its own pages as existing ones.
		expect(sandbox.methods.filter((method) => method === 'POST')).toHaveLength(22);
		expect([...sandbox.references].sort()).toEqual(all);
		expect(output).toMatchObject(
			rows.map(({ pageName }, item) => ({ json: { pageName }, pairedItem: { item } })),
		);
	});

	test('ends with an error that counts what all tries have done', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode', nth: [8, 12, 16] });
		const outcome = await sandbox.run({ rows, parameters: inTurn, settings: triesAgain });
		expect(sandbox.requests).toHaveLength(16);
		expect(told(outcome)).toContain('13 of 20 rows are finished.');
		expect(sandbox.references).toHaveLength(13);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'resumes with %s when the first item has failed',
		async (onError) => {
			sandbox.fail({ endpoint: 'create', kind: 'wrongCode', nth: [1] });
			const settings = { ...triesAgain, onError };
			const { output } = await sandbox.run({ rows, parameters: inTurn, settings });
			expect(output).toHaveLength(20);
			expect(sandbox.requests).toHaveLength(21);
			expect([...sandbox.references].sort()).toEqual(all);
		},
	);

	test('keeps the failed items of the last try on the error output', async () => {
		// First try: items 0 and 2 fail; second: both; third: item 0 fails again, item 2 succeeds.
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode', nth: [1, 3, 21, 22, 23] });
		const settings = { ...triesAgain, ...continues };
		const { output, errorOutput } = await sandbox.run({ rows, parameters: inTurn, settings });
		expect(sandbox.requests).toHaveLength(24);
		expect(errorOutput.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(output).toHaveLength(19);
	});

	test('rejects a bad value in every try, and sends nothing', async () => {
		const { error } = await sandbox.run({
			rows: [...rows, { pageName: 'Bad', amount: 'x' }],
			parameters: operations.create,
			settings: triesAgain,
		});
		expect(error?.message).toMatch(/^'Amount' \(amount\) /);
		expect(sandbox.requests).toEqual([]);
	});

	test('waits for what the try before has in progress, before it sends anything again', async () => {
		// With batching, n8n gives a try up while items of it are still in progress.
		sandbox.fail({ endpoint: 'create', kind: 'latency', milliseconds: 150, nth: [1, 2] });
		const rest = '$json.pageName === "Page 2" ? $("Nowhere").first().json.x : $json.pageName';
		const { run } = await sandbox.run({
			rows: rows.slice(0, 3),
			parameters: {
				pageName: `={{ ${rest} }}`,
				requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 500 } } },
			},
			settings: triesAgain,
		});
		expect(run.status).toBe('error');
		// n8n does not wait for them, so they end after the run.
		await waitFor(() => sandbox.references.length === 2, { what: 'both pages' });
		expect([...sandbox.references].sort()).toEqual(['page-0', 'page-1']);
		expect(sandbox.requests).toHaveLength(2);
	});

	describe('a create whose answer was lost', () => {
		const lost = (kind: FaultRule['kind']): FaultRule => ({ endpoint: 'create', kind, times: 1 });

		test.each<[string, FaultRule[], string, string]>([
			[
				'is not sent again when a page is there that may be older',
				[lost('cutAfterStoring')],
				'create',
				'POST GET GET GET',
			],
			[
				'is sent again when no such page exists',
				[lost('cutBeforeStoring')],
				'create',
				'POST GET GET POST',
			],
			[
				'is recovered as our own page when that can be asked only later',
				[lost('cutAfterStoring'), { endpoint: 'validate', kind: 'html', nth: [2] }],
				'error',
				'GET POST GET GET',
			],
		])('%s', async (_what, faults, ifReferenceExists, methods) => {
			sandbox.fail(...faults);
			const { run, output, error } = await sandbox.run({
				rows: [{}],
				parameters: {
					pageName: 'A',
					// Each try gets another, and asks for the one that was sent.
					paymentPageLinkReference: '=a-{{ $now.toMillis() }}',
					ifReferenceExists,
				},
				settings: triesAgain,
			});
			expect(sandbox.methods.join(' ')).toBe(methods);
			expect(sandbox.references).toHaveLength(1);
			const [first, second] = sandbox.bodies;
			expect(second ?? first).toEqual(first);
			if (ifReferenceExists === 'error') expect(output[0]?.json.recovered).toBe(true);
			expect(run.status).toBe(methods.startsWith('POST GET GET GET') ? 'error' : 'success');
			if (run.status === 'success') {
				expect(output[0]?.json.paymentPageLinkReference).toBe(sandbox.references[0]);
			} else expect(error?.message).toContain('exists, but it may have existed before');
		});
	});

	/** `SOAK_PAGES=5000` makes it the long one. */
	const pages = Number(process.env.SOAK_PAGES ?? 300);

	test(`${pages} pages on a bad day of the service: none missing, none twice`, async () => {
		sandbox.service.configure({ faults: mixedFaults });
		const references = Array.from({ length: pages }, (_value, index) => `page-${index}`);
		let missing: IDataObject[] = references.map((paymentPageLinkReference) => ({
			paymentPageLinkReference,
		}));
		let runs = 0;
		for (; missing.length > 0; runs++) {
			expect(runs).toBeLessThan(10);
			const parameters = automatic('create', {
				ifReferenceExists: 'skip',
				maxParallelRequests: 20,
			});
			const { output, errorOutput } = await sandbox.run({
				rows: missing,
				parameters,
				settings: continues,
			});
			expect(output.length + errorOutput.length).toBe(missing.length);
			// The error output carries the input of what failed, so it can be sent again as it is.
			missing = errorOutput.map(({ json }) => json);
		}
		expect(runs).toBeGreaterThan(1);
		expect([...sandbox.references].sort()).toEqual(references.sort());
	}, 600_000);
});

test('a service that comes up while it is tried gets each page once', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	const credential = { baseUrl: `http://127.0.0.1:${port}/api` };
	const running = sandbox.run({ rows, parameters: operations.create, credential });
	const later = await startSandbox({ port });
	const { output } = await running;
	expect(output).toHaveLength(20);
	expect(later.state.pages.size).toBe(20);
	await later.stop();
});
