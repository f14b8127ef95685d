import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox';
import { nodeOf, startWorkflow } from './harness/workflow';
import {
	anyPage,
	anyRow,
	automatic,
	batches,
	continues,
	credentialsFor,
	existing,
	failing,
	triesAgain,
	useSandbox,
} from './sandbox';

/**
 * Rows whose reference exists, and rows that share one, typed or made from the page name. The model
 * of a list asks for every list whether each row has one page; here is what a row is told.
 */
const sandbox = useSandbox();

const asking = (ifReferenceExists: string) => automatic('create', { ifReferenceExists });
const page = (reference: string) => ({ pageName: reference, paymentPageLinkReference: reference });
const skipped = { skipped: true, exists: true, id: null, paymentPageLink: null };
const containing = (text: string): unknown => expect.stringContaining(text);
const error = (text: string) => ({ error: containing(text) }) as IDataObject;

async function resultsOf(rows: IDataObject[], parameters: INodeParameters, more = {}) {
	const settings = { ...continues, ...more };
	return (await sandbox.run({ rows, parameters, settings })).results;
}

const exists = { error: 'A page "a" already exists', message: containing('Use another reference') };

test.each<[string, object]>([
	['skip', { ...skipped, paymentPageLinkReference: 'a' }],
	['error', { ...page('a'), ...exists }],
])('a reference that exists, with "%s"', async (choice, result) => {
	await sandbox.run({ rows: [page('a')] });
	const results = await resultsOf([page('b/c'), page('a'), page('d')], asking(choice));
	expect(results[1]).toEqual(result);
	expect(results).toMatchObject([{ id: 2 }, {}, { id: 3 }]);
	expect(sandbox.references).toEqual(['a', 'b/c', 'd']);
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
		const again = end === ')' ? skipped : error(another);
		expect(await resultsOf(rows, asking('skip'))).toMatchObject([skipped, again]);
	});

	const [cut, stored] = [failing('cutBeforeStoring', 1), failing('cutAfterStoring')];
	// The first row's own question gets no answer, the second row's does.
	const unclear: FaultRule = { endpoint: 'validate', kind: 'html', nth: [2] };
	const absent = error('the page "dep-1" does not exist yet');
	const unknown = error('could not be determined');
	const twice = [row, row];
	const thrice = [row, { ...row, amount: 2 }, row];

	test.each<[what: string, IDataObject[], results: object[], Partial<INode>, ...FaultRule[]]>([
		['failed', twice, [error('rejected'), { id: 1 }], {}, failing('wrongCode', 1)],
		['may still be made', twice, [absent, absent], {}, cut],
		['is made by the next try of n8n', twice, [{ id: 1 }, { skipped: true }], triesAgain, cut],
		['was lost and is there', thrice, [unknown, error(another), skipped], {}, stored, unclear],
	])('depends on the first, which %s', async (_what, rows, results, settings, ...faults) => {
		sandbox.fail(...faults);
		expect(await resultsOf(rows, asking('skip'), settings)).toMatchObject(results);
		expect(sandbox.references).toEqual(results.includes(absent) ? [] : ['dep-1']);
	});

	test('is not started when the first fails and the node stops', async () => {
		sandbox.fail(failing('wrongCode'));
		await sandbox.run({ rows: ['Zoë', 'zoë', 'ZOE'].map(page), parameters: asking('skip') });
		expect(sandbox.methods).toBe('GET POST');
	});
});

describe('spellings that a service may take for one reference', () => {
	const spellings = ['Zoë 1', 'zoë 1', 'ZOE\u0308 1', 'zoe1', 'Ｚoë\u200b 1'];
	const other = '" already exists (row 1 has this reference "Zoë 1" with another \'Amount\')';

	test.each<[number, (reference: string) => object]>([
		[0, (reference) => ({ ...skipped, paymentPageLinkReference: reference })],
		[1, (reference) => error(`A page "${reference}${other}`)],
	])('make one page where it does (the amount grows by %j)', async (step, resultOf) => {
		let made = 0;
		const rows = spellings.map((paymentPageLinkReference, index) => ({
			paymentPageLinkReference,
			amount: 1 + step * index,
		}));
		const { results, sent } = await sandbox.runAt(
			({ method }) => existing(method === 'GET' ? made > 0 : made++ > 0),
			{ rows, parameters: asking('skip'), settings: continues },
		);
		expect(made).toBe(1);
		const asked = sent.filter(({ method }) => method === 'GET');
		const segments = asked.map(({ url }) => url.split('/').at(-1));
		expect(segments).toEqual(spellings.map(encodeURIComponent));
		expect(results.slice(1)).toMatchObject(spellings.slice(1).map((text) => resultOf(text)));
	});

	test('wait for the one of them whose answer was lost', async () => {
		sandbox.fail(failing('cutBeforeStoring', 2));
		const results = await resultsOf(['Zoë', 'zoë', 'ZOË'].map(page), asking('skip'));
		const lost = error('the page "zoë" does not exist yet');
		expect(results).toMatchObject([{ id: 1 }, lost, lost]);
		expect(sandbox.references).toEqual(['Zoë']);
	});

	test('make a page each where it does not', async () => {
		const references = ['Zoë', 'zoë', 'zoe', 'zoe\u0308'];
		const rows = [...references, 'zoe'].map((text, amount) => ({ ...page(text), amount }));
		const results = await resultsOf(rows, asking('skip'));
		expect(results[4]).toMatchObject(error(`(row 3 has this reference with another 'Amount')`));
		expect(sandbox.references).toEqual(references);
	});
});

// Fault: three customers were given one address.
describe('a reference that is made from the page name', () => {
	const derived = "'Reference' is empty, and the one made from 'Page Name', ";
	const shared = (reference: string) => error(`${derived}"${reference}", is that of another row`);
	const monthly = shared('monthly-fee');
	const named = (...names: string[]) => names.map((pageName) => ({ pageName }));
	const [fee = {}] = named('Monthly fee');
	const typed = { pageName: 'B', paymentPageLinkReference: 'Monthly-Fee' };

	test.each<[what: string, IDataObject[], results: IDataObject[], INodeParameters?]>([
		['is shared by no rows', [fee, fee], [monthly, monthly], asking('error')],
		['gives way to a typed one', [typed, fee], [{ pageName: 'B' }, monthly]],
		['gives way to one after it', [fee, typed], [monthly, { pageName: 'B' }]],
		['is the first batch’s', named('A', 'A ', 'a'), [{}, shared('a'), shared('a')], batches(1)],
	])('%s', async (...[, rows, results, more]) => {
		expect(await resultsOf(rows, { ...asking('create'), ...more })).toMatchObject(results);
		expect(sandbox.references).toHaveLength(results.filter(({ error: text }) => !text).length);
	});

	test('is rejected again by another try of n8n, which sends the other rows once', async () => {
		sandbox.fail(failing('wrongCode', 1));
		const results = await resultsOf(named('A', 'Zoë', 'Zoe'), asking('create'), triesAgain);
		expect(results).toMatchObject([{ pageName: 'A' }, shared('zoe'), shared('zoe')]);
		expect(sandbox.references).toEqual(['a']);
	});

	test.each([
		['derived', named('Fee'), /^A page "fee" already exists (?!.*'Skip')/],
		['typed', [page('a')], /^A page "a" already exists .*set 'If Reference Exists' to 'Skip'/],
	])('that is %s: Fail stops at the page of an earlier run', async (_kind, rows, words) => {
		const given = { rows, parameters: asking('error') };
		await sandbox.run(given);
		const { told } = await sandbox.run(given);
		expect(told).toMatch(words);
		expect(sandbox.references).toHaveLength(1);
	});
});

// Fault: memory answered instead of the service.
describe('between runs, the service’s answer counts', () => {
	/** Nodes one after the other. */
	async function runWorkflow(steps: INodeParameters[], more: Array<[string, string, number]> = []) {
		const settings = more.length > 0 ? continues : {};
		const names = ['Rows', ...steps.keys()].map(String);
		const nodes = steps.map((step, index) =>
			nodeOf(String(index), 'paymentPage', { parameters: { ...anyPage, ...step }, ...settings }),
		);
		const onward = nodes.map(({ name }, index): [string, string] => [names[index] ?? '', name]);
		const credentials = credentialsFor(sandbox.service);
		const connections = [...onward, ...more];
		const run = await startWorkflow({ rows: [anyRow], nodes, connections, credentials });
		return run.data.resultData;
	}

	const create = { ...page('a'), ifReferenceExists: 'skip' };
	const changed = { ...page('a'), operation: 'update', updateFields: { amount: '6' } };

	test('a page that a node before has made and another has changed is asked for', async () => {
		const { error: failure } = await runWorkflow([create, changed, { ...create, amount: '6' }]);
		expect(failure).toBeUndefined();
		expect(sandbox.methods).toBe('GET POST POST GET');
	});

	test.each([
		['create', 'POST GET POST'],
		['skip', 'GET POST GET GET POST'],
		['error', 'GET POST GET GET POST'],
	])('a loop that leads what failed back makes a lost page: "%s"', async (choice, methods) => {
		sandbox.fail(failing('cutBeforeStoring', 1));
		const { runData } = await runWorkflow([asking(choice)], [['0', '0', 1]]);
		expect(runData['0']).toHaveLength(2);
		expect(sandbox.methods).toBe(methods);
		expect(sandbox.references).toEqual(['a']);
	});
});
