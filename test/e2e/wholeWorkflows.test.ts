import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { failureOf, runItems, runJson } from '../../scripts/localN8n/execution';
import { waitFor } from '../../scripts/shared/waitFor';
import { useSharedBed } from './support/bed';
import { manualTrigger, node, paymentPage, rows, setField, workflow } from './support/workflow';
import { older, testUnless } from './support/cannot';

/** What the node does between the other nodes of a workflow: in a loop, beside files, in a retry. */
const bed = useSharedBed();

beforeEach(() => bed().sandbox.reset());

const skip: INodeParameters = {
	operation: 'create',
	pageName: '={{ $json.name }}',
	amount: '={{ $json.amount }}',
	paymentPageLinkReference: '={{ $json.name.toLowerCase() }}',
	ifReferenceExists: 'skip',
	options: { maxParallelRequests: 1 },
};

const errorOutput: Partial<INode> = { onError: 'continueErrorOutput' };

function peopleOf(...names: string[]): IDataObject[] {
	return names.map((name) => ({ name, amount: 1 }));
}

const people = peopleOf('Anna', 'Bert', 'Carl');

const numbered = peopleOf(...Array.from({ length: 20 }, (_, index) => `page-${index + 1}`));

function toNode(name: string, index = 0) {
	return { node: name, type: 'main' as const, index };
}

/** References of the pages that the service was asked to create, as they came. */
function referencesSent(): unknown[] {
	return bed()
		.sandbox.state.requests.filter(({ method }) => method === 'POST')
		.map(({ body }) => (JSON.parse(body.toString()) as IDataObject).paymentPageLinkReference);
}

/** Rows as sheets have them, and what comes of each: the amount of its page, or words. */
const dirtyRows: Array<[string, string, string | number | null, number | RegExp]> = [
	['Amelia', 'A', 59.38099999999999, 59.381],
	['Jürgen', 'B', 'abc', /^'Amount' must be a number such as 49\.90/],
	['Chloé', '..', 30, /^'Reference' must not be/],
	['Zoë', 'D', 40, /lost .*; the page "d" does not exist yet$/],
	["O'Brien", 'E', 50, /rejected the request: Try tomorrow \(code "91"\)$/],
	['Åse', ' Été\u00a0\n', '1\u202f060,50', 1060.5],
	['Ελένη', '🔑', '٣', 3],
	['João', 'H', '1,000', /can mean 1000 or 1$/],
	['Noor', '\u200b', null, /^The row is empty$/],
];

test('parts good and bad rows on the error output; a later node finds the row of each', async () => {
	bed().sandbox.configure({
		faults: [
			{ endpoint: 'create', nth: [2], kind: 'cutBeforeStoring' },
			{ endpoint: 'create', nth: [3], kind: 'wrongCode', code: '91', message: 'Try tomorrow' },
		],
	});
	const data = dirtyRows.map(([customer, name, amount]) => ({ customer, name, amount }));
	const customer = '={{ $("Rows").item.json.customer }}';
	const create = { ...skip, ifReferenceExists: 'create' };
	const execution = await bed().run(
		workflow(
			'Error output',
			[
				manualTrigger(),
				...rows(data),
				paymentPage(create, errorOutput),
				setField('Good', 'customer', customer),
				setField('Bad', 'customer', customer),
			],
			{ 'Payment Page': ['Good', 'Bad'] },
		),
	);
	const outcomes = (good: boolean) =>
		dirtyRows
			.filter(([, , , outcome]) => (typeof outcome === 'number') === good)
			.map(([of, , , outcome]) =>
				typeof outcome === 'number'
					? { customer: of, amount: outcome }
					: { customer: of, error: expect.stringMatching(outcome) },
			);
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Good')).toMatchObject(outcomes(true));
	expect(runJson(execution, 'Bad')).toMatchObject(outcomes(false));
	expect(bed().sandbox.state.pages.size).toBe(outcomes(true).length);
});

test('remembers one run: in a loop, the answer of the service is what counts', async () => {
	const data = [
		{ name: 'Deposit', amount: 50 },
		{ name: 'Rest', amount: 70 },
		{ name: 'Deposit', amount: 80 },
		{ name: 'Last', amount: 1 },
	];
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: 2 }, { typeVersion: 3 });
	const content = workflow('Loop', [manualTrigger(), ...rows(data), loop]);
	content.nodes = [...content.nodes, paymentPage(skip, errorOutput)];
	content.connections['Loop'] = { main: [[], [toNode('Payment Page')]] };
	content.connections['Payment Page'] = { main: [[toNode('Loop')], [toNode('Loop')]] };
	const execution = await bed().run(content);
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Payment Page')).toMatchObject([
		{ pageName: 'Deposit', amount: 50 },
		{ pageName: 'Rest', amount: 70 },
		{ skipped: true, exists: true, id: null, paymentPageLinkReference: 'deposit' },
		{ pageName: 'Last', amount: 1 },
	]);
	expect(bed().sandbox.state.pages.size).toBe(3);
});

testUnless(
	older,
	'it passes on all input items unchanged on the first output when it cannot evaluate an expression of one',
)(
	'cannot pair an item that n8n rejects before the node sees it; the others stay paired',
	async () => {
		const pageName = '={{ $json.name === "Bert" ? $("Never").first().json.x : $json.name }}';
		const content = workflow(
			'Rejected by n8n',
			[
				manualTrigger(),
				...rows(people),
				paymentPage({ ...skip, pageName }, errorOutput),
				setField('Good', 'customer', '={{ $("Rows").item.json.name }}'),
				setField('Bad', 'customer', '={{ $json.name }}'),
			],
			{ 'Payment Page': ['Good', 'Bad'] },
		);
		content.nodes.push(setField('Never', 'x', 'y'));
		const execution = await bed().run(content);
		expect(runJson(execution, 'Good').map(({ customer }) => customer)).toEqual(['Anna', 'Carl']);
		// What n8n gives out itself, without the columns: the node was never asked about this item.
		const rejected = runItems(execution, 'Payment Page', 1);
		expect(rejected.map(({ json }) => json)).toEqual([
			{ error: "Node 'Never' hasn't been executed" },
		]);
		expect(rejected.map(({ pairedItem }) => pairedItem)).toEqual([undefined]);
	},
);

test('lets files pass beside it: a Merge node puts them to the pages by position', async () => {
	const file = node(
		'File',
		'n8n-nodes-base.convertToFile',
		{ operation: 'toText', sourceProperty: 'name', options: { fileName: '={{ $json.name }}.txt' } },
		{ typeVersion: 1.1 },
	);
	const combine = { mode: 'combine', combineBy: 'combineByPosition' };
	const merge = node('Merge', 'n8n-nodes-base.merge', combine, { typeVersion: 3.2 });
	const name = '$("Rows").item.json.name';
	const create = paymentPage({
		...skip,
		pageName: `={{ ${name} }}`,
		amount: 1,
		paymentPageLinkReference: `={{ ${name}.toLowerCase() }}`,
	});
	const content = workflow('Files', [manualTrigger(), ...rows(people), file, create, merge]);
	content.connections['File'] = { main: [[toNode('Payment Page'), toNode('Merge', 1)]] };
	const execution = await bed().run(content);
	const binaries = runItems(execution, 'Payment Page').map(({ binary }) => binary);
	expect(binaries).toEqual(people.map(() => undefined));
	const merged = runItems(execution, 'Merge').map(
		({ json, binary }) => `${String(json.paymentPageLinkReference)} ${binary?.['data']?.fileName}`,
	);
	expect(merged).toEqual(['anna Anna.txt', 'bert Bert.txt', 'carl Carl.txt']);
});

test('goes on at the item that failed with Retry On Fail, several at a time', async () => {
	bed().sandbox.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [4] }] });
	const create = { ...skip, ifReferenceExists: 'create', options: { maxParallelRequests: 5 } };
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const execution = await bed().run(
		workflow('Retries', [manualTrigger(), ...rows(numbered), paymentPage(create, settings)]),
	);
	expect(execution.status).toBe('success');
	const all = numbered.map(({ name }) => name);
	const items = runItems(execution, 'Payment Page');
	expect(items.map(({ json }) => json.pageName)).toEqual(all);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(all.map((_one, item) => ({ item })));
	const sent = referencesSent();
	expect(sent).toHaveLength(all.length + 1);
	expect(new Set(sent)).toEqual(new Set(all));
});

test('begins again when a failed execution is retried from the list, as its error says', async () => {
	const { client, sandbox } = bed();
	sandbox.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [2] }] });
	const { id } = await bed().save(
		workflow('Retry', [manualTrigger(), ...rows(people), paymentPage(skip)]),
	);
	const failed = await client.run(id);
	expect(failureOf(failed)).toContain(
		'Row 2 of 3 (n8n calls it item 1). 1 of 3 rows is finished. To go on, run again: only the missing pages are created.',
	);
	sandbox.state.requests.length = 0;
	await client.request('post', `/executions/${failed.id}/retry`, { loadWorkflow: false });
	const retried = await waitFor(
		async () => (await client.listExecutions(id)).find(({ mode }) => mode === 'retry'),
		{ what: 'the retry to begin' },
	);
	const execution = await client.waitForExecution(id, retried.id);
	expect(execution.status).toBe('success');
	// The first item is asked about again, and found as a page that was there.
	expect(runJson(execution, 'Payment Page')).toMatchObject([
		{ skipped: true, exists: true, paymentPageLinkReference: 'anna' },
		{ pageName: 'Bert' },
		{ pageName: 'Carl' },
	]);
	expect(sandbox.state.requests).toHaveLength(5);
	await client.deleteWorkflow(id);
});

test.each<[string, Partial<INode>]>([
	['that stops at a failure', {}],
	['with Retry On Fail', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }],
])('sends nothing more once a run %s is stopped while it waits', async (_name, settings) => {
	const { client, n8n, sandbox } = bed();
	// Logged right before each wait.
	const waits = async () => (await n8n.readLog()).split('Payment Page: retrying a request').length;
	const before = await waits();
	const busy = { kind: 'tooManyRequests', retryAfterSeconds: 2 } as const;
	sandbox.configure({ faults: [{ endpoint: 'create', ...busy }] });
	const create = { ...skip, ifReferenceExists: 'create', options: { maxParallelRequests: 3 } };
	const { id } = await bed().save(
		workflow('Stopped', [manualTrigger(), ...rows(numbered), paymentPage(create, settings)]),
	);
	const executionId = (await client.startRun(id, 'Manual Trigger')) ?? '';
	await waitFor(async () => (await waits()) >= before + 3, { what: 'three items to wait' });
	await client.stopExecution(executionId);
	const sent = referencesSent().length;
	expect((await client.waitForExecution(id, executionId)).status).toBe('canceled');

	// It waits twice as long as the stopped run would have, which now could create pages.
	sandbox.configure({ faults: [{ endpoint: 'validate', ...busy, times: 2 }] });
	const ask = { operation: 'validateReference', paymentPageLinkReference: 'page-1' };
	const next = await bed().run(workflow('Next', [manualTrigger(), paymentPage(ask)]));
	expect(runJson(next, 'Payment Page')).toMatchObject([{ exists: false }]);
	expect(sandbox.state.requests).toHaveLength(sent + 3);
	expect(referencesSent()).toHaveLength(sent);
	expect(sandbox.state.pages.size).toBe(0);
	await client.deleteWorkflow(id);
});
