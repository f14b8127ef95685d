import { exampleFiles, readExample } from '../../scripts/localN8n/examples';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import type { WorkflowContent } from '../../scripts/localN8n/types';
import { waitFor } from '../../scripts/shared/waitFor';
import { send } from '../support/request';
import { addPage, firstStatus } from '../support/service';
import { useSharedBed } from './support/bed';
import { useMailServer } from './support/mailServer';
import { older, testUnless } from './support/needs';
import { startScriptedModel } from './support/scriptedModel';
import {
	anyPage,
	assigned,
	changedNodes,
	manualTrigger,
	node,
	paymentPage,
	rows,
	setField,
	workflow,
} from './support/workflow';

/** The examples without a data table, which older n8n run, too. */
const bed = useSharedBed({ sandbox: { retry: { maximumTries: 1 } } });
const mailServer = useMailServer();

beforeEach(() => bed().sandbox.reset());

test.each(exampleFiles)('%s can be imported', async (file) => {
	const example = await readExample(file);
	const { id, nodes } = await bed().save(example);
	expect(nodes).toHaveLength(example.nodes.length);
	await bed().client.deleteWorkflow(id);
});

test('a payment becomes a message to the shop', async () => {
	const { client, sandbox } = bed();
	const example = await readExample('payment-then-message');
	const id = await bed().publish(await mailServer.sendingHere(client, example));
	await addPage(sandbox, 'test-inv-7', { pageName: 'Page', amount: 120, isTestMode: true });
	await sandbox.pay('test-inv-7');
	expect(await waitFor(() => mailServer.takeMails()[0], { what: 'the message' })).toEqual({
		to: 'office@harbourlight.example',
		subject: 'Test payment received: test-inv-7',
		text: expect.stringContaining('Page: test-inv-7\nAmount: 120\nMode: test'),
	});
	await client.deactivate(id);
});

test('an agent makes the page that it is asked for', async () => {
	const { sandbox } = bed();
	const args = { pageName: 'Team portraits', amount: '312.50', invoiceNumber: 'inv-2026-0142' };
	const model = await startScriptedModel(bed(), [[{ args }]]);
	const example = changedNodes(await readExample('agent-tool'), {
		Model: ({ id, position }) => ({ ...model.node, id, position }),
		// Nobody types into a chat here.
		'When chat message received': () => ({
			...manualTrigger(),
			name: 'When chat message received',
		}),
		Agent: ({ parameters }) => ({
			parameters: { ...parameters, promptType: 'define', text: 'A page for the portraits.' },
		}),
	});
	const { id } = await bed().save(example);
	expect((await bed().client.run(id, 'When chat message received')).status).toBe('success');
	expect(model.results()[0]).toMatchObject([
		{ pageName: 'Team portraits', paymentPageLink: `${sandbox.url}/pay/test-inv-2026-0142` },
	]);
	expect([...sandbox.state.pages.values()].at(-1)).toMatchObject({
		amount: 312.5,
		isFixedAmount: true,
		isTestMode: true,
	});
});

test('a Google Sheet is asked for its rows; each becomes a page whose link is written back', async () => {
	const example = await readExample('create-pages-from-google-sheets');
	const { id } = await bed().save(example);
	// Older n8n do not even start a workflow without the sheet.
	const failure = await bed().client.run(id).then(failureOf, String);
	expect(failure).toMatch(/Rows of the sheet|workflow has issues/);

	// In the place of Google: nodes that give rows, and one that keeps what would be written.
	const [list, split] = rows([
		{ reference: 'sheet-1', customerName: 'Anna', description: 'Portraits', amount: 312.5 },
		{ reference: '', customerName: '', description: '', amount: '' },
		{ reference: 'sheet-2', customerName: 'Bert', description: 'Catalogue', amount: '49,90' },
	]);
	const content = changedNodes(example, {
		'Rows of the sheet': ({ name }) => ({ ...split, name }),
		'Save link in the sheet': ({ parameters }) => {
			const { value } = parameters['columns'] as unknown as { value: Record<string, string> };
			return { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: assigned(value) };
		},
	});
	if (list) content.nodes.push(list);
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	Object.assign(content.connections, { Settings: to('List'), List: to('Rows of the sheet') });
	const execution = await bed().run(content);
	expect(execution.status).toBe('success');
	const saved = ['sheet-1', 'sheet-2'].map((reference) => ({
		reference,
		pageReference: `test-${reference}`,
		paymentPageId: expect.stringMatching(/^\d+$/),
		paymentPageLink: `${bed().sandbox.url}/pay/test-${reference}`,
	}));
	expect(runJson(execution, 'Save link in the sheet')).toEqual(saved);
});

/** The resume address of an execution as Callback URL: what it can do, and what it cannot. */
const createPages = paymentPage({
	operation: 'create',
	...anyPage,
	pageName: '={{ $json.name }}',
	optionalFields: { callBackUrl: '={{ $execution.resumeUrl }}' },
});

const onCall = { resume: 'webhook', httpMethod: 'POST', options: {} };

/** A Wait node, and what tells who has paid. */
const waitNodes = [
	node('Wait', 'n8n-nodes-base.wait', onCall, { typeVersion: 1.1, webhookId: 'wait' }),
	setField('After', 'paid', '={{ $json.body.paymentPageLinkReference }}'),
];

/** Pays a page; gives how n8n answers the call of its Callback URL. */
async function pay(reference: string): Promise<number | null | undefined> {
	// The page has no amount of its own.
	const { deliveries } = await bed().sandbox.pay(reference, { amount: 1 });
	return firstStatus(deliveries.find(({ kind }) => kind === 'callback'));
}

/** The executions of a workflow, the newest first, once they are so many and all wait. */
async function untilWaiting(workflowId: string, count = 1): Promise<string[]> {
	const executions = await waitFor(
		async () => {
			const all = await bed().client.listExecutions(workflowId);
			return all.length === count && all.every(({ status }) => status === 'waiting') && all;
		},
		{ what: `${count} executions to wait for a payment`, timeoutMilliseconds: 60_000 },
	);
	return executions.map(({ id }) => id);
}

/** Starts a workflow; gives its ID and that of the execution. */
async function start(content: WorkflowContent): Promise<[id: string, executionId: string]> {
	const { id } = await bed().save(content);
	return [id, (await bed().client.startRun(id, 'Manual Trigger')) ?? ''];
}

/** Waits for the end; gives what the last node says. */
async function outputOf(workflowId: string, executionId: string) {
	const execution = await bed().client.waitForExecution(workflowId, executionId);
	return runJson(execution, execution.data.resultData.lastNodeExecuted ?? '');
}

testUnless(
	older,
	'its resume URL has no token, so the number of an execution that waits is enough to continue it',
)('the example goes on for who pays, not for somebody who guesses its number', async () => {
	const [id, executionId] = await start(await readExample('wait-for-payment'));
	await untilWaiting(id);
	const [page] = bed().sandbox.state.pages.values();
	const { origin, pathname } = new URL(page?.callBackUrl ?? '');
	expect((await send(`${origin}${pathname}`, { body: '{}' })).status).toBe(401);
	expect(await untilWaiting(id)).toEqual([executionId]);
	expect(await pay(`test-workshop-deposit-${executionId}`)).toBe(200);
	expect(await outputOf(id, executionId)).toEqual([
		{ message: 'Payment claimed, not confirmed: Deposit for the workshop' },
	]);
});

test('has one page for each execution, if a sub-workflow is called for each item', async () => {
	const type = 'n8n-nodes-base.executeWorkflow';
	const passthrough = { inputSource: 'passthrough' };
	const called = node('Called', `${type}Trigger`, passthrough, { typeVersion: 1.1 });
	const sub = await bed().publish(workflow('One page', [called, createPages, ...waitNodes]));
	const workflowId = { __rl: true, mode: 'id', value: sub };
	const parameters = { workflowId, mode: 'each', options: { waitForSubWorkflow: false } };
	const call = node('For each row', type, parameters, { typeVersion: 1.2 });
	await bed().run(
		workflow('Each row', [manualTrigger(), ...rows([{ name: 'Anna' }, { name: 'Bert' }]), call]),
	);
	const [second = '', first = ''] = await untilWaiting(sub, 2);
	expect(await pay('bert')).toBe(200);
	expect(await outputOf(sub, second)).toMatchObject([{ paid: 'bert' }]);
	expect(await pay('anna')).toBe(200);
	expect(await outputOf(sub, first)).toMatchObject([{ paid: 'anna' }]);
});
