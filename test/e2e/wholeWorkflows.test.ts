import type { IDataObject, INodeParameters } from 'n8n-workflow';
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

const people = ['Anna', 'Bert', 'Carl'].map((name): IDataObject => ({ name, amount: 1 }));

const toNode = (node: string, index = 0) => ({ node, type: 'main' as const, index });

testUnless(
	older,
	'it passes on all input items unchanged on the first output when it cannot evaluate an expression of one',
)('an item that n8n rejects before the node sees it is the only one without a row', async () => {
	const pageName = '={{ $json.name === "Bert" ? $("Never").first().json.x : $json.name }}';
	const create = paymentPage({ ...skip, pageName }, { onError: 'continueErrorOutput' });
	const content = workflow('Bad expression', [manualTrigger(), ...rows(people), create]);
	content.nodes.push(setField('Never', 'x', 'y'));
	const execution = await bed().run(content);
	expect(runItems(execution, 'Payment Page')).toMatchObject([
		{ json: { pageName: 'Anna' }, pairedItem: { item: 0 } },
		{ json: { pageName: 'Carl' }, pairedItem: { item: 2 } },
	]);
	// What n8n gives out itself, without the columns: the node was never asked about this item.
	const [bad, ...others] = runItems(execution, 'Payment Page', 1);
	expect(bad?.json).toEqual({ error: "Node 'Never' hasn't been executed" });
	expect([bad?.pairedItem, others]).toEqual([undefined, []]);
});

test('remembers one run: in a loop, the answer of the service is what counts', async () => {
	const names = ['Deposit', 'Rest', 'Deposit', 'Last'];
	const data = names.map((name, index) => ({ name, amount: index + 1 }));
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: 2 }, { typeVersion: 3 });
	const content = workflow('Loop', [manualTrigger(), ...rows(data), loop]);
	content.nodes.push(paymentPage(skip));
	content.connections['Loop'] = { main: [[], [toNode('Payment Page')]] };
	content.connections['Payment Page'] = { main: [[toNode('Loop')]] };
	expect(runJson(await bed().run(content), 'Payment Page')).toMatchObject([
		{ pageName: 'Deposit', amount: 1 },
		{ pageName: 'Rest' },
		{ skipped: true, exists: true, id: null, paymentPageLinkReference: 'deposit' },
		{ pageName: 'Last' },
	]);
	expect(bed().sandbox.state.pages.size).toBe(3);
});

test('begins again when a failed execution is retried from the list, as its error says', async () => {
	const { client, sandbox } = bed();
	sandbox.configure({ faults: [{ endpoint: 'create', kind: 'wrongCode', nth: [2] }] });
	const content = workflow('Retry', [manualTrigger(), ...rows(people), paymentPage(skip)]);
	const { id } = await bed().save(content);
	const failed = await client.run(id);
	expect(failureOf(failed)).toContain('To go on, run again: only the missing pages are created.');
	sandbox.state.requests.length = 0;
	await client.request('post', `/executions/${failed.id}/retry`, { loadWorkflow: false });
	const retried = await waitFor(
		async () => (await client.listExecutions(id)).find(({ mode }) => mode === 'retry'),
		{ what: 'the retry to begin' },
	);
	const execution = await client.waitForExecution(id, retried.id);
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
	const { id } = await bed().save(workflow('Stop', [manualTrigger(), ...rows(people), create]));
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
