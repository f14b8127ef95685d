import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import type { INode, INodeParameters } from 'n8n-workflow';
import { readExample } from '../../scripts/localN8n/examples';
import { runJson } from '../../scripts/localN8n/execution';
import type { ExecutionSummary } from '../../scripts/localN8n/types';
import { waitFor } from '../../scripts/shared/waitFor';
import { useSharedBed } from './support/sharedBed';
import { manualTrigger, node, paymentPage, rows, setField, workflow } from './support/workflow';

/**
 * The resume address of an execution as Callback URL: what it can do, and what it cannot. The example
 * that uses it is here, too: it needs no data table, which an older n8n has not as the others need it.
 */
const bed = useSharedBed({ sandbox: { retry: { maximumTries: 1 } } });

beforeEach(() => bed().sandbox.reset());

function createPages(): INode {
	const parameters: INodeParameters = {
		operation: 'create',
		pageName: '={{ $json.name }}',
		amount: '={{ $json.amount }}',
		optionalFields: { callBackUrl: '={{ $execution.resumeUrl }}' },
	};
	return paymentPage(parameters);
}

function waitNode(): INode {
	const parameters = { resume: 'webhook', httpMethod: 'POST', options: {} };
	return node('Wait', 'n8n-nodes-base.wait', parameters, { typeVersion: 1.1, webhookId: 'wait' });
}

const paid = '={{ $json.body.paymentPageLinkReference }}';

/** Pays a page; gives how n8n answers the call of its Callback URL. */
async function pay(reference: string): Promise<number | null | undefined> {
	const { deliveries } = await bed().sandbox.pay(reference);
	return deliveries.find(({ kind }) => kind === 'callback')?.tries[0]?.status;
}

async function untilWaiting(workflowId: string, count = 1): Promise<string[]> {
	const isWaiting = ({ status }: ExecutionSummary) => status === 'waiting';
	const executions = await waitFor(
		async () => {
			const all = await bed().client.listExecutions(workflowId);
			return all.length === count && all.every(isWaiting) && all;
		},
		{ what: `${count} executions to wait for a payment` },
	);
	return executions.map(({ id }) => id);
}

const both = [
	{ name: 'Anna', amount: 1 },
	{ name: 'Bert', amount: 2 },
];

test('the example goes on after the Wait node when the payer has paid', async () => {
	const { client } = bed();
	const { id } = await bed().save(await readExample('wait-for-payment'));
	const executionId = (await client.startRun(id, 'Manual Trigger')) ?? '';
	await untilWaiting(id);
	expect(await pay(`test-workshop-deposit-${executionId}`)).toBe(200);
	const execution = await client.waitForExecution(id, executionId);
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Payment claimed')).toEqual([
		{ message: 'Payment claimed, not confirmed: Deposit for the workshop' },
	]);
	await client.deleteWorkflow(id);
});

test('does not go on for somebody who guesses the number of the execution', async () => {
	const { client, sandbox } = bed();
	const { id } = await bed().save(await readExample('wait-for-payment'));
	const executionId = (await client.startRun(id, 'Manual Trigger')) ?? '';
	await untilWaiting(id);
	const [page] = sandbox.state.pages.values();
	const { origin, pathname } = new URL(page?.callBackUrl ?? '');
	const { status } = await axios.post(`${origin}${pathname}`, {}, { validateStatus: () => true });
	expect(status).toBe(401);
	await untilWaiting(id);
	await client.stopExecution(executionId);
	await client.deleteWorkflow(id);
});

test('goes on for all items with the first payment, and refuses the others', async () => {
	const { client } = bed();
	const after = [createPages(), waitNode(), setField('After', 'paid', paid)];
	const content = workflow('Two pages', [manualTrigger(), ...rows(both), ...after]);
	const { id } = await bed().save(content);
	const executionId = (await client.startRun(id, 'Manual Trigger')) ?? '';
	await untilWaiting(id);
	expect(await pay('bert')).toBe(200);
	const execution = await client.waitForExecution(id, executionId);
	expect(execution.status).toBe('success');
	// One item goes on, with the payment; the items of the pages end here.
	expect(runJson(execution, 'After')).toMatchObject([{ paid: 'bert' }]);
	expect(await pay('anna')).toBe(409);
	await client.deleteWorkflow(id);
});

test('has one page for each execution, if a sub-workflow is called for each item', async () => {
	const { client } = bed();
	const called = node(
		'Called',
		'n8n-nodes-base.executeWorkflowTrigger',
		{ inputSource: 'passthrough' },
		{ typeVersion: 1.1 },
	);
	const after = [createPages(), waitNode(), setField('After', 'paid', paid)];
	const sub = await bed().save(workflow('One page', [called, ...after]));
	await client.activate(sub.id);
	const call = node(
		'For each row',
		'n8n-nodes-base.executeWorkflow',
		{
			workflowId: { __rl: true, mode: 'id', value: sub.id },
			mode: 'each',
			options: { waitForSubWorkflow: false },
		},
		{ typeVersion: 1.2 },
	);
	await bed().run(workflow('Each row', [manualTrigger(), ...rows(both), call]));
	const executionIds = await untilWaiting(sub.id, 2);
	expect(await pay('bert')).toBe(200);
	await waitFor(
		async () => (await client.listExecutions(sub.id)).some(({ status }) => status === 'success'),
		{ what: 'one execution to go on' },
	);
	expect(await pay('anna')).toBe(200);
	const executions = await Promise.all(
		executionIds.map((executionId) => client.waitForExecution(sub.id, executionId)),
	);
	expect(executions.map((execution) => runJson(execution, 'After'))).toMatchObject([
		[{ paid: 'bert' }],
		[{ paid: 'anna' }],
	]);
	await client.deactivate(sub.id);
	await client.deleteWorkflow(sub.id);
});

// Without it, n8n has nothing stored yet that the address could belong to.
test.each([
	[true, 409],
	[false, 500],
])('refuses a payment before the Wait node (progress saved: %j)', async (saved, status) => {
	const { client } = bed();
	let slow: ServerResponse | undefined;
	const server = createServer((_request, response) => {
		slow = response;
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}/`;
	const slowStep = node('Slow step', 'n8n-nodes-base.httpRequest', { url }, { typeVersion: 4.2 });
	const after = [createPages(), slowStep, waitNode(), setField('After', 'paid', paid)];
	const content = workflow('Early', [manualTrigger(), ...rows(both.slice(0, 1)), ...after]);
	const { id } = await bed().save({
		...content,
		settings: { ...content.settings, saveExecutionProgress: saved },
	});
	const executionId = (await client.startRun(id, 'Manual Trigger')) ?? '';
	await waitFor(() => slow !== undefined, { what: 'the slow step' });
	expect(await pay('anna')).toBe(status);
	slow?.end('{}');
	await untilWaiting(id);
	// Only a payment that is told again goes on.
	expect(await pay('anna')).toBe(200);
	const execution = await client.waitForExecution(id, executionId);
	expect(runJson(execution, 'After')).toMatchObject([{ paid: 'anna' }]);
	await new Promise((resolve) => server.close(resolve));
	await client.deleteWorkflow(id);
});
