import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { nodeOf, startWorkflow } from './harness/workflow';
import {
	anyPage,
	anyRow,
	automatic,
	batches,
	continues,
	credentialsFor,
	existing,
	triesAgain,
	useSandbox,
} from './sandbox';

/**
 * Rows whose reference exists, and rows that share one, typed or made from the page name. The model
 * of a list asks for every list whether each row has one page; here is what a row is told.
 */
const sandbox = useSandbox();

const asking = (ifReferenceExists: string, more: INodeParameters = {}) =>
	automatic('create', { ifReferenceExists, ...more });
const page = (reference: string) => ({ pageName: reference, paymentPageLinkReference: reference });
const skipped = { skipped: true, exists: true, id: null, paymentPageLink: null };
const error = (text: string) => ({ error: expect.stringContaining(text) as unknown });

async function resultsOf(rows: IDataObject[], parameters: INodeParameters, more = {}) {
	const settings = { ...continues, ...more };
	return (await sandbox.run({ rows, parameters, settings })).results;
}

describe('a reference that exists', () => {
	beforeEach(async () => {
		await sandbox.run({ rows: [page('a')] });
		sandbox.requests.length = 0;
	});

	test('is skipped with Skip, without its link', async () => {
		const [first, second] = await resultsOf([page('a'), page('b/c')], asking('skip'));
		expect(first).toEqual({ ...skipped, paymentPageLinkReference: 'a' });
		expect(second).toMatchObject({ id: 2, paymentPageLinkReference: 'b/c' });
		expect(sandbox.references).toEqual(['a', 'b/c']);
	});

	test('fails with Fail, and says what to do', async () => {
		const results = await resultsOf([page('b'), page('a'), page('c')], asking('error'));
		const message = expect.stringContaining('Use another reference') as unknown;
		expect(results[1]).toMatchObject({ ...page('a'), error: 'A page "a" already exists', message });
		expect(sandbox.references).toEqual(['a', 'b', 'c']);
	});
});

describe('a second row with the typed reference of a page of this run', () => {
	const row = { pageName: 'Deposit', amount: 50, paymentPageLinkReference: 'dep-1' };
	const another = 'A page "dep-1" already exists (row 1 has this reference';

	test('is skipped when it is equal, with the ID and link of the first', async () => {
		const [first, second] = await resultsOf([row, { ...row, amount: '50.00' }], asking('skip'));
		const { id, paymentPageLink } = first ?? {};
		const own = { id, paymentPageLink, paymentPageLinkReference: 'dep-1' };
		expect(second).toEqual({ skipped: true, exists: true, ...own });
		expect(sandbox.references).toEqual(['dep-1']);
	});

	test.each([
		['skip', { amount: 80, isTestMode: true }, " with another 'Amount', 'Test Mode')"],
		['error', { amount: 80 }, " with another 'Amount')"],
		['error', {}, ')'],
	])('fails with "%s" and %j, and names the row', async (choice, change, end) => {
		const rows = [row, { ...row, ...change }];
		const [, second] = await resultsOf(rows, asking(choice));
		expect(second?.error).toBe(`${another}${end}`);
		expect(sandbox.references).toEqual(['dep-1']);
		// In a rerun as well, so that no missing page goes unnoticed.
		expect(await resultsOf(rows, asking('skip'))).toMatchObject([
			skipped,
			end === ')' ? skipped : error(another),
		]);
	});

	test('is created when the first has failed', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode', times: 1 });
		const results = await resultsOf([row, row], asking('skip'));
		expect(results).toMatchObject([error('rejected'), { id: 1 }]);
	});

	test('is not created either while the service may be busy with a lost first', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 });
		const absent = error('the page "dep-1" does not exist yet');
		expect(await resultsOf([row, row], asking('skip'))).toMatchObject([absent, absent]);
		expect(sandbox.methods).toBe('GET POST GET GET');
		await sandbox.service.reset();
		// But n8n's next try makes the first, and skips the second.
		sandbox.fail({ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 });
		const results = await resultsOf([row, row], asking('skip'), triesAgain);
		expect(results).toMatchObject([{ pageName: 'Deposit' }, { skipped: true }]);
		expect(sandbox.references).toEqual(['dep-1']);
	});

	test('fails when the service has the page of a lost first, and other values', async () => {
		sandbox.fail(
			{ endpoint: 'create', kind: 'cutAfterStoring' },
			// The first row's own question gets no answer, the second row's does.
			{ endpoint: 'validate', kind: 'html', nth: [2] },
		);
		expect(await resultsOf([row, { ...row, amount: 2 }, row], asking('skip'))).toMatchObject([
			error('could not be determined'),
			error(another),
			{ ...skipped, paymentPageLinkReference: 'dep-1' },
		]);
	});

	test('is not started when the first fails and the node stops', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode' });
		await sandbox.run({ rows: ['Zoë', 'zoë', 'ZOE'].map(page), parameters: asking('skip') });
		expect(sandbox.methods).toBe('GET POST');
	});
});

describe('spellings that a service may take for one reference', () => {
	const spellings = ['Zoë 1', 'zoë 1', 'ZOE\u0308 1', 'zoe1', 'Ｚoë\u200b 1'];

	test.each([false, true])('make one page where it does (other values: %j)', async (isOther) => {
		let pages = 0;
		const { results, sent } = await sandbox.runAt(
			({ method }) => (method === 'GET' ? existing(pages > 0) : existing(pages++ > 0)),
			{
				rows: spellings.map((reference, amount) => ({
					paymentPageLinkReference: reference,
					amount: isOther ? amount : 1,
				})),
				parameters: asking('skip'),
				settings: continues,
			},
		);
		expect(pages).toBe(1);
		const asked = sent.filter(({ method }) => method === 'GET');
		expect(asked.map(({ url }) => decodeURIComponent(url.split('/').at(-1) ?? ''))).toEqual(
			spellings,
		);
		const others = spellings
			.slice(1)
			.map((reference) =>
				isOther
					? error(
							`A page "${reference}" already exists (row 1 has this reference "Zoë 1" with another 'Amount')`,
						)
					: { ...skipped, paymentPageLinkReference: reference },
			);
		expect(results.slice(1)).toMatchObject(others);
	});

	test('make a page each where it does not', async () => {
		const references = ['Zoë', 'zoë', 'zoe', 'zoe\u0308'];
		await resultsOf(references.map(page), asking('skip'));
		expect(sandbox.references).toEqual(references);
	});
});

// Fault: three customers were given one address.
describe('a reference that is made from the page name', () => {
	const shared = (reference: string) =>
		error(
			`'Reference' is empty, and the one made from 'Page Name', "${reference}", is that of another row, too`,
		);
	const fixed = { pageName: 'Monthly fee', amount: '={{ $json.total }}', isFixedAmount: true };

	test.each(['create', 'error'])('is shared by no rows, not even equal: "%s"', async (choice) => {
		const rows = [{ total: 10 }, { total: 10 }, { total: 20 }];
		const parameters = { ...fixed, ifReferenceExists: choice };
		const { told } = await sandbox.run({ rows, parameters });
		expect(told).toMatch(/ such as the invoice number\. .* Nothing was sent\.$/);
		const results = await resultsOf(rows, parameters);
		expect(results).toMatchObject(rows.map(() => shared('monthly-fee')));
		expect(sandbox.requests).toEqual([]);
	});

	test('gives way to a typed one, whichever comes first', async () => {
		const typed = { pageName: 'B', paymentPageLinkReference: 'Monthly-Fee' };
		const derived = { pageName: 'Monthly fee' };
		const page = { pageName: 'B', id: 1 };
		expect(await resultsOf([typed, derived], asking('create'))).toMatchObject([
			page,
			shared('monthly-fee'),
		]);
		await sandbox.service.reset();
		expect(await resultsOf([derived, typed], asking('create'))).toMatchObject([
			shared('monthly-fee'),
			page,
		]);
	});

	test('is taken by the first batch of n8n, and rejected in later ones', async () => {
		const rows = ['Fee', 'Fee ', 'fee'].map((pageName) => ({ pageName }));
		const results = await resultsOf(rows, asking('create', batches(1)));
		expect(results).toMatchObject([{ id: 1 }, shared('fee'), shared('fee')]);
	});

	test('is rejected again by another try of n8n, which sends the other rows once', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode', nth: [1] });
		const rows = ['A', 'Zoë', 'Zoe'].map((pageName) => ({ pageName }));
		const results = await resultsOf(rows, asking('create'), triesAgain);
		expect(results).toMatchObject([{ pageName: 'A' }, error('another row'), error('another row')]);
		expect(sandbox.references).toEqual(['a']);
	});

	test('stops with Fail at the page of an earlier run, without advising Skip', async () => {
		const given = { rows: [{ pageName: 'Fee' }], parameters: asking('error') };
		await sandbox.run(given);
		const { error: failure, told } = await sandbox.run(given);
		expect(failure?.message).toBe('A page "fee" already exists');
		expect(told).not.toContain("'Skip'");
		expect(sandbox.references).toEqual(['fee']);
	});
});

// Fault: memory answered instead of the service.
describe('between runs, the service’s answer counts', () => {
	/** Nodes one after the other, or one whose error output leads back to it. */
	async function runWorkflow(steps: INodeParameters[], leadsBack = false) {
		const names = steps.map((_step, index) => `P${index}`);
		const run = await startWorkflow({
			rows: [anyRow],
			nodes: steps.map((step, index) =>
				nodeOf(`P${index}`, 'paymentPage', {
					parameters: { ...anyPage, ...step },
					...(leadsBack ? continues : {}),
				}),
			),
			connections: [
				['Rows', 'P0'],
				...names.slice(1).map((name, index): [string, string] => [`P${index}`, name]),
				...(leadsBack ? [['P0', 'P0', 1] as [string, string, number]] : []),
			],
			credentials: credentialsFor(sandbox.service),
		});
		return run.data.resultData;
	}

	const create = { paymentPageLinkReference: 'a', ifReferenceExists: 'skip', pageName: 'A' };
	const update = { operation: 'update', paymentPageLinkReference: 'a' };

	test.each<[string, INodeParameters[], string]>([
		['made by a node before', [], 'GET POST GET'],
		['updated meanwhile', [{ ...update, updateFields: { amount: '6' } }], 'GET POST POST GET'],
		['deleted meanwhile', [{ ...update, updateFields: { isDeleted: true } }], 'GET POST POST GET'],
	])('a page that was %s is asked for', async (_what, between, methods) => {
		const { error: failure } = await runWorkflow([create, ...between, { ...create, amount: '6' }]);
		expect(failure).toBeUndefined();
		expect(sandbox.methods).toMatch(new RegExp(`^${methods}`));
	});

	test.each([
		['create', 'POST GET POST'],
		['skip', 'GET POST GET GET POST'],
		['error', 'GET POST GET GET POST'],
	])('a loop that leads what failed back makes a lost page: "%s"', async (choice, methods) => {
		sandbox.fail({ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 });
		const { runData } = await runWorkflow([asking(choice)], true);
		expect(runData.P0).toHaveLength(2);
		expect(sandbox.methods).toBe(methods);
		expect(sandbox.references).toEqual(['a']);
	});
});
