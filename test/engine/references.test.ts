import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';

import { lookNode, rowsNode } from './harness/helperNodes';
import { loadPaymentPage } from './harness/nodeTypes';
import { credentialsOf, nodeOf, startWorkflow } from './harness/workflow';
import {
	anyPage,
	anyRow,
	automatic,
	continues,
	credentialsFor,
	existing,
	told,
	triesAgain,
	useSandbox,
} from './sandbox';

/** Rows whose reference exists, and rows that share one, typed or made from the page name. */
const sandbox = useSandbox();

const asking = (ifReferenceExists: string, more: INodeParameters = {}) =>
	automatic('create', { ifReferenceExists, ...more });
const page = (reference: string) => ({ pageName: reference, paymentPageLinkReference: reference });
const skipped = { skipped: true, exists: true, id: null, paymentPageLink: null };
const error = (text: string) => ({ error: expect.stringContaining(text) as unknown });

/** What comes of each row. */
async function resultsOf(rows: IDataObject[], parameters: INodeParameters, settings = {}) {
	const { output, errorOutput } = await sandbox.run({
		rows,
		parameters,
		settings: { ...continues, ...settings },
	});
	const items = [...output, ...errorOutput];
	const of = (row: number) =>
		items.find(({ pairedItem }) => (pairedItem as { item: number }).item === row)?.json;
	return rows.map((_row, row) => of(row) ?? {});
}

describe('a reference that exists', () => {
	beforeEach(async () => {
		await sandbox.run({ rows: [page('a')], parameters: asking('create') });
		sandbox.requests.length = 0;
	});

	test('is not asked for with Create Anyway', async () => {
		await sandbox.run({ rows: [page('a'), page('a')], parameters: asking('create') });
		expect(sandbox.methods).toEqual(['POST', 'POST']);
		expect(sandbox.references).toEqual(['a', 'a', 'a']);
	});

	test('is skipped with Skip, without its link', async () => {
		const results = await resultsOf([page('a'), page('b/c')], asking('skip'));
		expect(results).toMatchObject([
			{ ...skipped, paymentPageLinkReference: 'a' },
			{ id: 2, paymentPageLinkReference: 'b/c' },
		]);
		expect(Object.keys(results[0] ?? {})).toHaveLength(5);
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
		const [, second] = await resultsOf([row, { ...row, ...change }], asking(choice));
		expect(second?.error).toBe(`${another}${end}`);
		expect(sandbox.references).toEqual(['dep-1']);
		// In a rerun as well, so that no missing page goes unnoticed.
		const rerun = await resultsOf([row, { ...row, ...change }], asking('skip'));
		expect(rerun[0]).toMatchObject(skipped);
		expect(rerun[1]).toMatchObject(end === ')' ? skipped : error(another));
	});

	test.each([1, 2, 50])('makes no second page, with %i at once', async (maxParallelRequests) => {
		const rows = ['a', 'b', 'a', 'c', 'a', 'b'].map(page);
		for (const choice of ['skip', 'error']) {
			sandbox.fail({ endpoint: 'any', kind: 'latency', milliseconds: 0, jitterMilliseconds: 40 });
			const results = await resultsOf(rows, asking(choice, { maxParallelRequests }));
			expect([...sandbox.references].sort()).toEqual(['a', 'b', 'c']);
			const repeated = results.filter((json) => 'skipped' in json || 'error' in json);
			expect(repeated).toEqual([results[2], results[4], results[5]]);
			await sandbox.service.reset();
		}
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
		expect(sandbox.methods).toEqual(['GET', 'POST', 'GET', 'GET']);
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
		const results = await resultsOf([row, { ...row, amount: 2 }, row], asking('skip'));
		expect(results).toMatchObject([
			error('could not be determined'),
			error(another),
			{ ...skipped, paymentPageLinkReference: 'dep-1' },
		]);
	});

	test('is not started when the first fails and the node stops', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode' });
		const rows = ['Zoë', 'zoë', 'ZOE'].map(page);
		await sandbox.run({ rows, parameters: asking('skip') });
		expect(sandbox.methods).toEqual(['GET', 'POST']);
	});
});

describe('spellings that a service may take for one reference', () => {
	const spellings = ['Zoë 1', 'zoë 1', 'ZOE\u0308 1', 'zoe1', 'Ｚoë\u200b 1'];

	test.each([false, true])('make one page where it does (other values: %j)', async (isOther) => {
		let pages = 0;
		const rows = spellings.map((reference, amount) => ({
			paymentPageLinkReference: reference,
			amount: isOther ? amount : 1,
		}));
		const { output, errorOutput, sent } = await sandbox.runAt(
			({ method }) => (method === 'GET' ? existing(pages > 0) : existing(pages++ > 0)),
			{ rows, parameters: asking('skip'), settings: continues },
		);
		expect(pages).toBe(1);
		const asked = sent.filter(({ method }) => method === 'GET');
		expect(asked.map(({ url }) => decodeURIComponent(url.split('/').at(-1) ?? ''))).toEqual(
			spellings,
		);
		if (isOther) {
			expect(errorOutput[0]?.json.error).toBe(
				'A page "zoë 1" already exists (row 1 has this reference "Zoë 1" with another \'Amount\')',
			);
		} else {
			const others = spellings.slice(1).map((paymentPageLinkReference) => ({
				...skipped,
				paymentPageLinkReference,
			}));
			expect(output.slice(1).map(({ json }) => json)).toEqual(others);
		}
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
		`'Reference' is empty, and the one made from 'Page Name', "${reference}", is that of another row, too`;

	test.each(['create', 'error'])(
		'is shared by no rows, not even equal ones: "%s"',
		async (choice) => {
			const fixed = { pageName: 'Monthly fee', amount: '={{ $json.total }}', isFixedAmount: true };
			const parameters = { ...fixed, ifReferenceExists: choice };
			for (const totals of [
				[10, 20, 30],
				[10, 10],
			]) {
				const rows = totals.map((total) => ({ total }));
				const outcome = await sandbox.run({ rows, parameters });
				expect(told(outcome)).toMatch(/ such as the invoice number\. .* Nothing was sent\.$/);
				const results = await resultsOf(rows, parameters);
				expect(results).toMatchObject(rows.map(() => error(shared('monthly-fee'))));
				expect(sandbox.requests).toEqual([]);
			}
		},
	);

	test('gives way to a typed one, whichever comes first', async () => {
		const typed = { pageName: 'B', paymentPageLinkReference: 'Monthly-Fee' };
		const derived = { pageName: 'Monthly fee' };
		for (const rows of [
			[typed, derived],
			[derived, typed],
		]) {
			const results = await resultsOf(rows, asking('create'));
			expect(results[rows.indexOf(typed)]).toMatchObject({ pageName: 'B', id: 1 });
			expect(results[rows.indexOf(derived)]).toMatchObject(error(shared('monthly-fee')));
			await sandbox.service.reset();
		}
	});

	test('is taken by the first batch of n8n, and rejected in later ones', async () => {
		const batching = { batch: { batchSize: 1, batchInterval: 1 } };
		const rows = ['Fee', 'Fee ', 'fee'].map((pageName) => ({ pageName }));
		const results = await resultsOf(rows, { ...asking('create'), requestOptions: { batching } });
		expect(results).toMatchObject([{ id: 1 }, error(shared('fee')), error(shared('fee'))]);
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
		const again = await sandbox.run(given);
		expect(again.error?.message).toBe('A page "fee" already exists');
		expect(told(again)).not.toContain("'Skip'");
		expect(sandbox.references).toEqual(['fee']);
	});
});

// Fault: memory answered instead of the service.
describe('between runs, the service’s answer counts', () => {
	/** Nodes one after the other, or one whose error output leads back to it. */
	async function runWorkflow(rows: IDataObject[], steps: INodeParameters[], leadsBack = false) {
		const credentials = credentialsFor(sandbox.service);
		const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
		const nodes = steps.map((step, index) =>
			nodeOf(`P${index}`, 'paymentPage', {
				parameters: { ...anyPage, ...step },
				credentials: credentialsOf(credentials),
				...(leadsBack ? continues : {}),
			}),
		);
		const next = steps.map((_step, index) => [
			`P${index}`,
			{ main: leadsBack ? [[to('Look')], [to('P0')]] : [[to(`P${index + 1}`)]] },
		]);
		const run: IRun = await startWorkflow({
			nodes: [nodeOf('Rows', 'rows'), ...nodes, nodeOf('Look', 'look')],
			connections: {
				Rows: { main: [[to('P0')]] },
				...Object.fromEntries(leadsBack ? next : next.slice(0, -1)),
			},
			nodeTypes: { rows: rowsNode(rows), look: lookNode, paymentPage: loadPaymentPage() },
			credentials,
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
		const last = { ...create, amount: '6' };
		const { error: failure } = await runWorkflow([{}], [create, ...between, last]);
		expect(failure).toBeUndefined();
		expect(sandbox.methods.slice(0, methods.split(' ').length).join(' ')).toBe(methods);
	});

	test.each([
		['create', 'POST GET POST'],
		['skip', 'GET POST GET GET POST'],
		['error', 'GET POST GET GET POST'],
	])('a loop that leads what failed back makes a lost page: "%s"', async (choice, methods) => {
		sandbox.fail({ endpoint: 'create', kind: 'cutBeforeStoring', times: 1 });
		const { runData } = await runWorkflow([anyRow], [asking(choice)], true);
		expect(runData.P0).toHaveLength(2);
		expect(sandbox.methods.join(' ')).toBe(methods);
		expect(sandbox.references).toEqual(['a']);
	});
});

// Nobody asks. That their time does not grow with the square was measured; no test asserts a time.
test('rows with one reference on purpose are all made', async () => {
	const rows = Array.from({ length: 300 }, () => page('same'));
	const { output } = await sandbox.run({ rows, parameters: asking('create') });
	expect(output).toHaveLength(300);
});
