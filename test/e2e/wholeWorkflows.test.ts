import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { failureOf, runItems, runJson } from '../../scripts/localN8n/execution';
import { waitFor } from '../../scripts/shared/waitFor';
import { useSharedBed } from './support/bed';
import { older, testUnless } from './support/needs';
import { manualTrigger, node, paymentPage, rows, setField, workflow } from './support/workflow';

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

const people = ['Anna', 'Bert', 'Carl'].map((name): IDataObject => ({ name, amount: 1 }));

function toNode(name: string, index = 0) {
	return { node: name, type: 'main' as const, index };
}

const ofRow = '={{ $("Rows").item.json.name }}';

/** Runs the node on rows, with a node behind each output that looks up the row of its item. */
async function runAndLookUp(data: IDataObject[], create: INodeParameters, ofBad = ofRow) {
	const looks = [setField('Good', 'customer', ofRow), setField('Bad', 'customer', ofBad)];
	const nodes = [manualTrigger(), ...rows(data), paymentPage(create, errorOutput), ...looks];
	const content = workflow('Error output', nodes, { 'Payment Page': ['Good', 'Bad'] });
	return bed().run({ ...content, nodes: [...nodes, setField('Never', 'x', 'y')] });
}

test('parts good and bad rows on the error output; a later node finds the row of each', async () => {
	const wrongCode = { kind: 'wrongCode', code: '91', message: 'Try tomorrow' } as const;
	bed().sandbox.configure({ faults: [{ endpoint: 'create', nth: [2], ...wrongCode }] });
	// As sheets have them.
	const data = [
		{ name: 'Zoë', amount: '1\u202f060,50' },
		{ name: 'Jürgen', amount: 'abc' },
		{ name: "O'Brien", amount: 50 },
		{ name: 'Ελένη', amount: 59.38099999999999 },
	];
	const execution = await runAndLookUp(data, { ...skip, ifReferenceExists: 'create' });
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Good')).toMatchObject([
		{ customer: 'Zoë', amount: 1060.5 },
		{ customer: 'Ελένη', amount: 59.381 },
	]);
	expect(runJson(execution, 'Bad')).toMatchObject([
		{ customer: 'Jürgen', error: expect.stringMatching(/^'Amount' must be a number/) },
		{ customer: "O'Brien", error: expect.stringMatching(/Try tomorrow \(code "91"\)$/) },
	]);
	expect(bed().sandbox.state.pages.size).toBe(2);
});

testUnless(
	older,
	'it passes on all input items unchanged on the first output when it cannot evaluate an expression of one',
)('an item that n8n rejects before the node sees it is the only one without a row', async () => {
	const pageName = '={{ $json.name === "Bert" ? $("Never").first().json.x : $json.name }}';
	// A lookup of the row would end the execution.
	const execution = await runAndLookUp(people, { ...skip, pageName }, '={{ $json.error }}');
	expect(runJson(execution, 'Good').map(({ customer }) => customer)).toEqual(['Anna', 'Carl']);
	// What n8n gives out itself, without the columns: the node was never asked about this item.
	expect(runItems(execution, 'Payment Page', 1)).toEqual([
		expect.objectContaining({ json: { error: "Node 'Never' hasn't been executed" } }),
	]);
	expect(runItems(execution, 'Payment Page', 1)[0]?.pairedItem).toBeUndefined();
});

test('remembers one run: in a loop, the answer of the service is what counts', async () => {
	const amounts = [
		['Deposit', 50],
		['Rest', 70],
		['Deposit', 80],
		['Last', 1],
	] as const;
	const data = amounts.map(([name, amount]) => ({ name, amount }));
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

test('lets files pass beside it: a Merge node puts them to the pages by position', async () => {
	const options = { fileName: '={{ $json.name }}.txt' };
	const toText = { operation: 'toText', sourceProperty: 'name', options };
	const file = node('File', 'n8n-nodes-base.convertToFile', toText, { typeVersion: 1.1 });
	const combine = { mode: 'combine', combineBy: 'combineByPosition' };
	const merge = node('Merge', 'n8n-nodes-base.merge', combine, { typeVersion: 3.2 });
	const pageName = '={{ $("Rows").item.json.name }}';
	const create = paymentPage({ ...skip, pageName, amount: 1, paymentPageLinkReference: pageName });
	const content = workflow('Files', [manualTrigger(), ...rows(people), file, create, merge]);
	content.connections['File'] = { main: [[toNode('Payment Page'), toNode('Merge', 1)]] };
	const execution = await bed().run(content);
	const binaries = runItems(execution, 'Payment Page').map(({ binary }) => binary);
	expect(binaries).toEqual(people.map(() => undefined));
	const merged = runItems(execution, 'Merge').map(({ json, binary }) => [
		json.paymentPageLinkReference,
		binary?.['data']?.fileName,
	]);
	expect(merged).toEqual(people.map(({ name }) => [name, `${String(name)}.txt`]));
});

test('begins again when a failed execution is retried from the list, as its error says', async () => {
	const { client, sandbox } = bed();
	sandbox.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [2] }] });
	const content = workflow('Retry', [manualTrigger(), ...rows(people), paymentPage(skip)]);
	const { id } = await bed().save(content);
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
});

test('sends nothing more, in no try, once a run is stopped while it waits', async () => {
	const { client, n8n, sandbox } = bed();
	// Logged right before each wait.
	const waits = async () => (await n8n.readLog()).split('Payment Page: retrying a request').length;
	const before = await waits();
	const busy = { kind: 'tooManyRequests', retryAfterSeconds: 2 } as const;
	sandbox.configure({ faults: [{ endpoint: 'create', ...busy }] });
	const options = { maxParallelRequests: 3 };
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const create = paymentPage({ ...skip, ifReferenceExists: 'create', options }, retries);
	const numbered = Array.from({ length: 20 }, (_, index) => ({ name: `page-${index}`, amount: 1 }));
	const { id } = await bed().save(workflow('Stop', [manualTrigger(), ...rows(numbered), create]));
	const executionId = (await client.startRun(id, 'Manual Trigger')) ?? '';
	await waitFor(async () => (await waits()) >= before + 3, { what: 'three items to wait' });
	await client.stopExecution(executionId);
	const sent = sandbox.state.requests.length;
	expect((await client.waitForExecution(id, executionId)).status).toBe('canceled');

	// It waits twice as long as the stopped run would have, which now could create pages.
	sandbox.configure({ faults: [{ endpoint: 'validate', ...busy, times: 2 }] });
	const ask = { operation: 'validateReference', paymentPageLinkReference: 'page-1' };
	const next = await bed().run(workflow('Next', [manualTrigger(), paymentPage(ask)]));
	expect(runJson(next, 'Payment Page')).toMatchObject([{ exists: false }]);
	expect(sandbox.state.requests).toHaveLength(sent + 3);
	expect(sandbox.state.pages.size).toBe(0);
});
