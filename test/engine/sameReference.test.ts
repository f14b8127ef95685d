import fc from 'fast-check';
import type { IDataObject, INode } from 'n8n-workflow';

import { comparisonKey } from '../../nodes/PaymentPage/fields/reference';
import { startAnsweringServer, type AnsweringServer } from './answeringServer';
import { automatic, credentialsFor, useSandbox } from './sandbox';

/** Rows of one run that share a reference, or one that a service may take for the same. */
const sandbox = useSandbox();

const skip = automatic('create', { ifReferenceExists: 'skip' });
const settings: Partial<INode> = { onError: 'continueErrorOutput' };

function made(json: IDataObject = {}): unknown {
	const { id, skipped, error } = json;
	if (error !== undefined) return error;
	return skipped === undefined ? { id } : { skipped, id };
}

async function run(rows: IDataObject[], parameters = skip, credentials?: { baseUrl: string }) {
	const { output, errorOutput } = await sandbox.run({
		rows,
		parameters,
		settings,
		...(credentials && { credentials: credentialsFor(sandbox.service, credentials) }),
	});
	const items = [...output, ...errorOutput];
	return rows.map((_row, index) => {
		const item = items.find(({ pairedItem }) => (pairedItem as { item: number }).item === index);
		return item?.json ?? {};
	});
}

describe('a second row with the typed reference of a page that this run has just created', () => {
	const row = { pageName: 'Deposit', amount: 50, paymentPageLinkReference: 'dep-1' };

	test('is skipped when it would have sent the same page, with the ID and link of the first', async () => {
		const [first, second] = await run([row, { ...row, amount: '50.00' }]);
		expect(second).toEqual({
			skipped: true,
			exists: true,
			id: first?.id,
			paymentPageLink: first?.paymentPageLink,
			paymentPageLinkReference: 'dep-1',
		});
		expect(sandbox.service.state.pages.size).toBe(1);
	});

	test('fails with other values, and names the row and the fields', async () => {
		const [, second] = await run([row, { ...row, amount: 80, isTestMode: true }]);
		expect(second).toMatchObject({
			error:
				"A page \"dep-1\" already exists (row 1 has this reference with another 'Amount', 'Test Mode')",
			message: expect.stringContaining('Give each row its own reference'),
		});
		expect(sandbox.service.state.pages.size).toBe(1);
	});

	test.each([1, 2])('names the row where Fail is chosen (amount %i)', async (amount) => {
		const parameters = automatic('create', { ifReferenceExists: 'error' });
		const [, second] = await run(
			[
				{ ...row, amount: 1 },
				{ ...row, amount },
			],
			parameters,
		);
		expect(second?.error).toBe(
			amount === 1
				? 'A page "dep-1" already exists (row 1 has this reference)'
				: 'A page "dep-1" already exists (row 1 has this reference with another \'Amount\')',
		);
	});

	test('is skipped for an equal one when the page was there before the run', async () => {
		await run([row]);
		const other = { ...row, amount: 80 };
		const expected = {
			skipped: true,
			exists: true,
			id: null,
			paymentPageLink: null,
			paymentPageLinkReference: 'dep-1',
		};
		expect(await run([other, other])).toEqual([expected, expected]);
	});

	test('with other values fails in a rerun as well, so that no missing page goes unnoticed', async () => {
		const rows = [50, 80, 80].map((amount) => ({ ...row, amount }));
		await run(rows);
		const [first, ...others] = await run(rows);
		expect(made(first)).toEqual({ skipped: true, id: null });
		for (const { error } of others) {
			expect(error).toBe(
				'A page "dep-1" already exists (row 1 has this reference with another \'Amount\')',
			);
		}
		expect(sandbox.service.state.pages.size).toBe(1);
	});

	test('fails when the service has the page after all, and other values', async () => {
		sandbox.service.configure({
			faults: [
				{ endpoint: 'create', kind: 'cutAfterStoring' },
				// The first row's own question gets no answer, the second row's does.
				{ endpoint: 'validate', kind: 'html', nth: [2] },
			],
		});
		const [first, second, third] = await run([
			{ paymentPageLinkReference: 'a', amount: 1 },
			{ paymentPageLinkReference: 'a', amount: 2 },
			{ paymentPageLinkReference: 'a', amount: 1 },
		]);
		expect(first?.error).toContain('could not be determined');
		expect(second?.error).toBe(
			'A page "a" already exists (row 1 has this reference with another \'Amount\')',
		);
		expect(third).toMatchObject({ skipped: true, id: null });
	});
});

test('of any table, each row is created, skipped for an equal row, or refused with its name', async () => {
	const row = fc
		.record({
			pageName: fc.constantFrom('Deposit', 'Rest', 'Ärger'),
			amount: fc.constantFrom(50, '50.0', 80),
		})
		.map((one) => ({ ...one, paymentPageLinkReference: one.pageName }));
	await fc.assert(
		fc.asyncProperty(
			fc.array(row, { minLength: 2, maxLength: 12 }),
			fc.integer({ min: 1, max: 8 }),
			async (rows, maxParallelRequests) => {
				await sandbox.service.reset();
				const parameters = automatic('create', { ifReferenceExists: 'skip', maxParallelRequests });
				const results = await run(rows, parameters);
				results.forEach((result, index) => {
					const { paymentPageLinkReference: reference, amount } = rows[index] ?? {};
					const first = rows.findIndex((other) => other.paymentPageLinkReference === reference);
					const isEqual = Number(rows[first]?.amount) === Number(amount);
					const otherwise = isEqual
						? { skipped: true, id: results[first]?.id }
						: expect.stringContaining(
								`(row ${first + 1} has this reference with another 'Amount')`,
							);
					expect(made(result)).toEqual(first === index ? { id: expect.any(Number) } : otherwise);
				});
				const references = new Set(rows.map((one) => one.paymentPageLinkReference));
				expect(sandbox.service.state.pages.size).toBe(references.size);
			},
		),
		{ numRuns: 40 },
	);
}, 60_000);

describe('a service that takes some references for the same', () => {
	let server: AnsweringServer;
	let pages: string[];

	beforeEach(async () => {
		pages = [];
		server = await startAnsweringServer(({ method, url, body }) => {
			const given =
				method === 'GET'
					? decodeURIComponent(url.split('/').at(-1) ?? '')
					: (JSON.parse(body) as { paymentPageLinkReference: string }).paymentPageLinkReference;
			const exists = pages.map(comparisonKey).includes(comparisonKey(given));
			if (method !== 'GET') pages.push(given);
			return { body: `{"responseCode":"00","data":{"isValid":${exists}}}` };
		});
	});

	afterEach(() => server.stop());

	const spellings = ['Zoë 1', 'zoë 1', 'ZOE\u0308 1', 'zoe1', 'Ｚoë\u200b 1'];

	test('gets one page of them, in the first spelling as it was given', async () => {
		const rows = spellings.map((paymentPageLinkReference) => ({ paymentPageLinkReference }));
		const results = await run(rows, skip, { baseUrl: server.baseUrl });
		expect(pages).toEqual([spellings[0]]);
		expect(results.slice(1)).toEqual(
			rows.slice(1).map((row) => ({
				skipped: true,
				exists: true,
				id: null,
				paymentPageLink: null,
				...row,
			})),
		);
		const asked = server.requests.filter(({ method }) => method === 'GET');
		expect(asked.map(({ url }) => decodeURIComponent(url.split('/').at(-1) ?? ''))).toEqual(
			spellings,
		);
	});

	test('never gets a page with the values of another row', async () => {
		const rows = spellings.map((paymentPageLinkReference, amount) => ({
			paymentPageLinkReference,
			amount,
		}));
		const [, second] = await run(rows, skip, { baseUrl: server.baseUrl });
		expect(pages).toHaveLength(1);
		expect(second?.error).toBe(
			'A page "zoë 1" already exists (row 1 has this reference "Zoë 1" with another \'Amount\')',
		);
	});
});

test('a service that tells them apart gets a page of each', async () => {
	const references = ['Zoë', 'zoë', 'zoe', 'zoe\u0308'];
	const rows = references.map((paymentPageLinkReference) => ({ paymentPageLinkReference }));
	await run(rows);
	const pages = [...sandbox.service.state.pages.values()];
	expect(pages.map(({ paymentPageLinkReference }) => paymentPageLinkReference)).toEqual(references);
});

test('a row that waits for another is not started when that one fails and the node stops', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode' }] });
	const rows = ['Zoë', 'zoë', 'ZOE'].map((paymentPageLinkReference) => ({
		paymentPageLinkReference,
	}));
	const { error } = await sandbox.run({ rows, parameters: skip });
	expect(error?.message).toContain('The service rejected the request');
	expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
});
