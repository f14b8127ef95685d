import { crmTable, readExample, withSubWorkflows } from '../../scripts/localN8n/examples';
import { runJson } from '../../scripts/localN8n/execution';
import { waitFor } from '../../scripts/shared/waitFor';
import { fillCrm } from '../../scripts/start/crm';
import { useSharedBed } from './support/sharedBed';
import { type Bed, startTimeout } from './support/testBed';

const shared = useSharedBed();
let bed: Bed;

beforeAll(async () => {
	bed = shared();
	await fillCrm(bed.tables);
	await bed.run(await readExample('create-pages-from-crm'));
}, startTimeout);

async function publish(workflow: Awaited<ReturnType<typeof readExample>>): Promise<string> {
	const { id } = await bed.save(workflow);
	expect(await bed.client.activate(id)).toMatchObject({ status: 'published' });
	return id;
}

async function paidReferences(): Promise<unknown[]> {
	const rows = await bed.tables.rows(crmTable);
	return rows.filter((row) => row['paymentStatus'] === 'paid').map((row) => row['reference']);
}

/** The executions of a workflow, once there are so many and all of them have ended. */
async function endedExecutions(workflowId: string, count: number) {
	return waitFor(
		async () => {
			const all = await bed.client.listExecutions(workflowId);
			return all.length >= count && all.every(({ status }) => status === 'success') && all;
		},
		{ what: `${count} executions to succeed`, timeoutMilliseconds: 60_000 },
	);
}

test('marks exactly the rows whose pages are paid', async () => {
	const id = await publish(await readExample('mark-row-as-paid'));
	await bed.sandbox.pay('inv-2026-0102');
	await bed.sandbox.pay('inv-2026-0107');
	await endedExecutions(id, 2);
	expect(await paidReferences()).toEqual(['inv-2026-0102', 'inv-2026-0107']);
	await bed.client.deactivate(id);
});

test('hands each payment on to the workflow that it belongs to', async () => {
	const invoices = await bed.save(await readExample('handle-invoice-payment'));
	const others = await bed.save(await readExample('handle-other-payment'));
	for (const { id } of [invoices, others]) await bed.client.activate(id);
	const router = withSubWorkflows(await readExample('route-payment-events'), [invoices, others]);
	const routerId = await publish(router);

	await bed.run({
		...(await readExample('wait-for-payment')),
		name: 'A page that is no invoice',
		connections: {
			'Manual Trigger': { main: [[{ node: 'Create page', type: 'main', index: 0 }]] },
		},
	});
	const other = [...bed.sandbox.state.pages.values()].at(-1)?.paymentPageLinkReference ?? '';
	expect(other).toMatch(/^workshop-deposit-/);

	await bed.sandbox.pay('inv-2026-0103');
	await bed.sandbox.pay(other);
	await endedExecutions(routerId, 2);
	expect(await paidReferences()).toContain('inv-2026-0103');
	const [handled] = await endedExecutions(others.id, 1);
	expect(runJson(await bed.client.getExecution(handled?.id ?? ''), 'Message')).toEqual([
		{ message: `Payment received for page ${other}` },
	]);
	expect(await endedExecutions(invoices.id, 1)).toHaveLength(1);
	await bed.client.deactivate(routerId);
});
