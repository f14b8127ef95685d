import { createHmac } from 'node:crypto';
import { crmTable, readExample, withSubWorkflows } from '../../scripts/localN8n/examples';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import type { WorkflowContent } from '../../scripts/localN8n/types';
import { waitFor } from '../../scripts/shared/waitFor';
import { fillCrm } from '../../scripts/start/crm';
import { send } from '../support/request';
import { registeredUrl } from '../support/service';
import { startTimeout, useSharedBed } from './support/bed';
import { fileUnless, older, withoutTables } from './support/cannot';

fileUnless(older, withoutTables);

/** What the examples do with events: only one that surely is the payment of a row marks it. */
const bed = useSharedBed();

beforeAll(async () => {
	await fillCrm(bed().tables);
	await bed().run(await readExample('create-pages-from-crm'));
}, startTimeout);

async function publish(workflow: WorkflowContent): Promise<string> {
	const { id } = await bed().save(workflow);
	expect(await bed().client.activate(id)).toMatchObject({ status: 'published' });
	return id;
}

async function paidReferences(): Promise<unknown[]> {
	const rows = await bed().tables.rows(crmTable);
	return rows.filter((row) => row['paymentStatus'] === 'paid').map((row) => row['reference']);
}

/** The newest execution of a workflow, once there are so many and all of them have ended. */
async function newestOf(workflowId: string, count: number) {
	const [newest] = await waitFor(
		async () => {
			const all = await bed().client.listExecutions(workflowId);
			const haveEnded = all.every(({ status }) => ['success', 'error'].includes(status));
			return all.length >= count && haveEnded && all;
		},
		{ what: `${count} executions to end`, timeoutMilliseconds: 60_000 },
	);
	return bed().client.getExecution(newest?.id ?? '');
}

/** Sends an event as the service would, whatever is in it. */
async function sendEvent(event: unknown): Promise<void> {
	const { sandbox } = bed();
	const body = JSON.stringify(event);
	const secret = sandbox.state.registration?.secret ?? '';
	const signature = createHmac('sha256', secret).update(body).digest('hex');
	const headers = { 'Content-Type': 'application/json', 'X-Signature': signature };
	expect((await send(registeredUrl(sandbox), { headers, body })).status).toBe(200);
}

const payment = {
	event: 'payment.completed',
	paymentPageLinkReference: 'test-inv-2026-0103',
	amount: 349.9,
	isTestMode: true,
};

describe('the example that marks rows', () => {
	let id: string;
	let count = 0;

	beforeAll(async () => {
		id = await publish(await readExample('mark-row-as-paid'));
	});

	afterAll(() => bed().client.deactivate(id));

	/** Sends an event that marks nothing; gives what the workflow says about it. */
	async function failureFor(event: unknown): Promise<string> {
		await sendEvent(event);
		const execution = await newestOf(id, ++count);
		expect(runJson(execution, 'Mark row as paid')).toEqual([]);
		return failureOf(execution);
	}

	test.each<[string, unknown]>([
		['another kind of event', { ...payment, event: 'payment.refunded' }],
		['an event without a kind', { ...payment, event: undefined }],
		['a smaller amount', { ...payment, amount: 1 }],
		['a larger amount', { ...payment, amount: 3499 }],
		['no amount', { ...payment, amount: undefined }],
		['an empty reference', { ...payment, paymentPageLinkReference: '' }],
		['a reference that no row has', { ...payment, paymentPageLinkReference: 'test-other' }],
		['a live payment of a test page', { ...payment, isTestMode: false }],
		['a live payment of a live page', { ...payment, paymentPageLinkReference: 'inv-2026-0103' }],
		['no word of the mode', { ...payment, isTestMode: undefined }],
		['a body that is no object', 'paid'],
		['a list', [payment]],
	])('marks nothing for %s, and says so', async (_name, event) => {
		expect(await failureFor(event)).toContain('Look at this event');
		expect(await paidReferences()).toEqual([]);
	});

	test('marks exactly the row whose page is paid, once, and leaves it alone when it is refunded', async () => {
		const { deliveries } = await bed().sandbox.pay('test-inv-2026-0102');
		expect(runJson(await newestOf(id, ++count), 'Mark row as paid')).toHaveLength(1);
		expect(await paidReferences()).toEqual(['inv-2026-0102']);
		await bed().sandbox.resend(deliveries[0]?.id ?? '');
		const again = await newestOf(id, ++count);
		expect([again.status, runJson(again, 'Mark row as paid')]).toEqual(['success', []]);

		const paymentPageLinkReference = 'test-inv-2026-0102';
		const refund = { ...payment, event: 'payment.refunded', paymentPageLinkReference, amount: 890 };
		expect(await failureFor(refund)).toContain('no payment of 890, mode: test');
		expect(await paidReferences()).toEqual(['inv-2026-0102']);
	});
});

test('hands each payment on to the workflow that it belongs to', async () => {
	const invoices = await bed().save(await readExample('handle-invoice-payment'));
	const others = await bed().save(await readExample('handle-other-payment'));
	for (const { id } of [invoices, others]) await bed().client.activate(id);
	const router = withSubWorkflows(await readExample('route-payment-events'), [invoices, others]);
	const routerId = await publish(router);

	await sendEvent(payment);
	expect(runJson(await newestOf(invoices.id, 1), 'Mark row as paid')).toHaveLength(1);
	expect(await paidReferences()).toContain('inv-2026-0103');

	const other = { ...payment, paymentPageLinkReference: 'test-workshop-deposit-7', amount: 120 };
	await sendEvent(other);
	expect(runJson(await newestOf(others.id, 1), 'Message')).toEqual([
		{ message: 'Test payment of 120 received for page test-workshop-deposit-7' },
	]);
	await sendEvent({ ...other, event: 'payment.failed' });
	expect(failureOf(await newestOf(others.id, 2))).toContain('no payment of 120');
	expect((await newestOf(routerId, 3)).status).toBe('success');
	await bed().client.deactivate(routerId);
});
