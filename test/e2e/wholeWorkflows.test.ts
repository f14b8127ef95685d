import type { INode, INodeParameters } from 'n8n-workflow';
import { failureOf, runItems, runJson } from '../../scripts/localN8n/execution';
import { useSharedBed } from './support/sharedBed';
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

const people = ['Anna', 'Bert', 'Carl'].map((name) => ({ name, amount: 1 }));

function toNode(name: string, index = 0) {
	return { node: name, type: 'main' as const, index };
}

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
	expect(runJson(execution, 'Payment Page')).toEqual([
		expect.objectContaining({ pageName: 'Deposit', amount: 50 }),
		expect.objectContaining({ pageName: 'Rest', amount: 70 }),
		{
			skipped: true,
			exists: true,
			id: null,
			paymentPageLink: null,
			paymentPageLinkReference: 'deposit',
		},
		expect.objectContaining({ pageName: 'Last', amount: 1 }),
	]);
	expect(runJson(execution, 'Payment Page', 1)).toEqual([]);
	expect(bed().sandbox.state.pages.size).toBe(3);
});

test('cannot pair an item that n8n refuses before the node sees it; the others stay paired', async () => {
	const pageName = '={{ $json.name === "Bert" ? $("Never").first().json.x : $json.name }}';
	const content = workflow(
		'Refused by n8n',
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
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Good').map(({ customer }) => customer)).toEqual(['Anna', 'Carl']);
	// What n8n gives out itself, without the columns: the node was never asked about this item.
	const refused = runItems(execution, 'Payment Page', 1);
	expect(refused.map(({ json }) => json)).toEqual([{ error: "Node 'Never' hasn't been executed" }]);
	expect(refused.map(({ pairedItem }) => pairedItem)).toEqual([undefined]);
	expect(bed().sandbox.state.pages.size).toBe(2);
});

test('lets files pass beside it: a Merge node puts them to the pages by position', async () => {
	const file = node(
		'File',
		'n8n-nodes-base.convertToFile',
		{ operation: 'toText', sourceProperty: 'name', options: { fileName: '={{ $json.name }}.txt' } },
		{ typeVersion: 1.1 },
	);
	const merge = node(
		'Merge',
		'n8n-nodes-base.merge',
		{ mode: 'combine', combineBy: 'combineByPosition' },
		{ typeVersion: 3.2 },
	);
	const pageName = '={{ $("Rows").item.json.name }}';
	const create = paymentPage({
		...skip,
		pageName,
		amount: 1,
		paymentPageLinkReference: '={{ $("Rows").item.json.name.toLowerCase() }}',
	});
	const content = workflow('Files', [manualTrigger(), ...rows(people), file, create, merge]);
	content.connections['File'] = { main: [[toNode('Payment Page'), toNode('Merge', 1)]] };
	const execution = await bed().run(content);
	expect(runItems(execution, 'Payment Page').map(({ binary }) => binary)).toEqual(
		people.map(() => undefined),
	);
	expect(
		runItems(execution, 'Merge').map(({ json, binary }) => [
			json.paymentPageLinkReference,
			binary?.['data']?.fileName,
		]),
	).toEqual([
		['anna', 'Anna.txt'],
		['bert', 'Bert.txt'],
		['carl', 'Carl.txt'],
	]);
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
	await client.session.request('post', `/executions/${failed.id}/retry`, { loadWorkflow: false });
	const retried = (await client.listExecutions(id)).find(({ mode }) => mode === 'retry');
	const execution = await client.waitForExecution(id, retried?.id ?? '');
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
