import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readExample } from '../../scripts/localN8n/examples';
import { runJson } from '../../scripts/localN8n/execution';
import { waitFor } from '../../scripts/shared/waitFor';
import { send } from '../support/request';
import { firstStatus } from '../support/service';
import { useSharedBed } from './support/bed';
import { manualTrigger, node, paymentPage, rows, setField, workflow } from './support/workflow';
import { older, testUnless } from './support/cannot';

/**
 * The resume address of an execution as Callback URL: what it can do, and what it cannot. The example
 * that uses it is here, too: it needs no data table, which an older n8n has not as the others need it.
 */
const bed = useSharedBed({ sandbox: { retry: { maximumTries: 1 } } });

beforeEach(() => bed().sandbox.reset());

function createPages() {
	return paymentPage({
		operation: 'create',
		pageName: '={{ $json.name }}',
		amount: '={{ $json.amount }}',
		optionalFields: { callBackUrl: '={{ $execution.resumeUrl }}' },
	});
}

/** A Wait node, and what tells who has paid. */
function waitNodes() {
	const parameters = { resume: 'webhook', httpMethod: 'POST', options: {} };
	const more = { typeVersion: 1.1, webhookId: 'wait' };
	const paid = '={{ $json.body.paymentPageLinkReference }}';
	return [node('Wait', 'n8n-nodes-base.wait', parameters, more), setField('After', 'paid', paid)];
}

/** Pays a page; gives how n8n answers the call of its Callback URL. */
async function pay(reference: string): Promise<number | null | undefined> {
	const { deliveries } = await bed().sandbox.pay(reference);
	return firstStatus(deliveries.find(({ kind }) => kind === 'callback'));
}

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

/** What an execution gives out once it has succeeded. */
async function outputOf(workflowId: string, executionId: string, name = 'After') {
	const execution = await bed().client.waitForExecution(workflowId, executionId);
	expect(execution.status).toBe('success');
	return runJson(execution, name);
}

async function startExample() {
	const { id } = await bed().save(await readExample('wait-for-payment'));
	const executionId = (await bed().client.startRun(id, 'Manual Trigger')) ?? '';
	await untilWaiting(id);
	return { id, executionId };
}

const both = [
	{ name: 'Anna', amount: 1 },
	{ name: 'Bert', amount: 2 },
];

test('the example goes on after the Wait node when the payer has paid', async () => {
	const { id, executionId } = await startExample();
	expect(await pay(`test-workshop-deposit-${executionId}`)).toBe(200);
	expect(await outputOf(id, executionId, 'Payment claimed')).toEqual([
		{ message: 'Payment claimed, not confirmed: Deposit for the workshop' },
	]);
});

testUnless(
	older,
	'its resume URL has no token, so the number of an execution that waits is enough to continue it',
)('does not go on for somebody who guesses the number of the execution', async () => {
	const { id, executionId } = await startExample();
	const [page] = bed().sandbox.state.pages.values();
	const { origin, pathname } = new URL(page?.callBackUrl ?? '');
	expect((await send(`${origin}${pathname}`, { body: '{}' })).status).toBe(401);
	await untilWaiting(id);
	await bed().client.stopExecution(executionId);
});

test('goes on for all items with the first payment, and rejects the others', async () => {
	const nodes = [manualTrigger(), ...rows(both), createPages(), ...waitNodes()];
	const { id } = await bed().save(workflow('Two pages', nodes));
	const executionId = (await bed().client.startRun(id, 'Manual Trigger')) ?? '';
	await untilWaiting(id);
	expect(await pay('bert')).toBe(200);
	// One item goes on, with the payment; the items of the pages end here.
	expect(await outputOf(id, executionId)).toMatchObject([{ paid: 'bert' }]);
	expect(await pay('anna')).toBe(409);
});

test('has one page for each execution, if a sub-workflow is called for each item', async () => {
	const { client } = bed();
	const passthrough = { inputSource: 'passthrough' };
	const type = 'n8n-nodes-base.executeWorkflow';
	const called = node('Called', `${type}Trigger`, passthrough, { typeVersion: 1.1 });
	const sub = await bed().save(workflow('One page', [called, createPages(), ...waitNodes()]));
	await client.activate(sub.id);
	const parameters = {
		workflowId: { __rl: true, mode: 'id', value: sub.id },
		mode: 'each',
		options: { waitForSubWorkflow: false },
	};
	const call = node('For each row', type, parameters, { typeVersion: 1.2 });
	await bed().run(workflow('Each row', [manualTrigger(), ...rows(both), call]));
	const [second = '', first = ''] = await untilWaiting(sub.id, 2);
	expect(await pay('bert')).toBe(200);
	expect(await outputOf(sub.id, second)).toMatchObject([{ paid: 'bert' }]);
	expect(await pay('anna')).toBe(200);
	expect(await outputOf(sub.id, first)).toMatchObject([{ paid: 'anna' }]);
	await client.deactivate(sub.id);
});

// Without it, n8n has nothing stored yet that the address could belong to.
test.each([
	[true, 409],
	[false, 500],
])('rejects a payment before the Wait node (progress saved: %j)', async (saved, status) => {
	let slow: ServerResponse | undefined;
	const server = createServer((_request, response) => {
		slow = response;
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const slowStep = node('Slow step', 'n8n-nodes-base.httpRequest', { url }, { typeVersion: 4.2 });
	const before = [manualTrigger(), ...rows(both.slice(0, 1)), createPages()];
	const content = workflow('Early', [...before, slowStep, ...waitNodes()]);
	const settings = { ...content.settings, saveExecutionProgress: saved };
	const { id } = await bed().save({ ...content, settings });
	const executionId = (await bed().client.startRun(id, 'Manual Trigger')) ?? '';
	await waitFor(() => slow !== undefined, { what: 'the slow step' });
	expect(await pay('anna')).toBe(status);
	slow?.end('{}');
	await untilWaiting(id);
	// Only a payment that is told again goes on.
	expect(await pay('anna')).toBe(200);
	expect(await outputOf(id, executionId)).toMatchObject([{ paid: 'anna' }]);
	await new Promise((resolve) => server.close(resolve));
});
