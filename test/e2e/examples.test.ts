import { createHmac } from 'node:crypto';
import { crmTable, readExample, withSubWorkflows } from '../../scripts/localN8n/examples';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import type { WorkflowContent } from '../../scripts/localN8n/types';
import { waitFor } from '../../scripts/shared/waitFor';
import { changeCrm } from '../../scripts/start/crm';
import { send } from '../support/request';
import { registeredUrl } from '../support/service';
import { useSharedBed } from './support/bed';
import { useCrm } from './support/crm';
import { fileUnless, older, withoutTables } from './support/needs';

fileUnless(older, withoutTables);

/**
 * The examples that make pages of a CRM and mark its rows as paid. The tests tell one story: each goes
 * on from what is there.
 */
const bed = useSharedBed();
const crm = useCrm(bed);

const pages = () => bed().sandbox.state.pages;

/** Each row has the ID and the link of its page. */
async function expectLinks(prefix: string, isTestMode: boolean): Promise<void> {
	for (const row of await crm.rows()) {
		const pageReference = `${prefix}${String(row['reference'])}`;
		const paymentPageLink = `${bed().sandbox.url}/pay/${pageReference}`;
		expect(row).toMatchObject({ pageReference, paymentPageLink });
		expect(pages().get(String(row['paymentPageId']))).toMatchObject({
			paymentPageLinkReference: pageReference,
			pageName: `${String(row['description'])} (${String(row['customerName'])})`,
			amount: row['amount'],
			isTestMode,
			isFixedAmount: true,
			notificationEmail: 'office@harbourlight.example',
		});
	}
}

test('each row of crm.csv becomes a test page and gets its link, once', async () => {
	const rows = await crm.rows();
	expect(rows.length).toBeGreaterThanOrEqual(25);
	expect(await bed().tables.rows(crmTable)).toHaveLength(rows.length + 1); // and a blank one
	expect((await crm.run('create-pages-from-crm')).status).toBe('success');
	expect(pages().size).toBe(rows.length);
	await expectLinks('test-', true);

	const before = await crm.rows();
	expect(runJson(await crm.run('create-pages-from-crm'), 'Create page')).toMatchObject(
		before.map((row) => ({ skipped: true, paymentPageLinkReference: row['pageReference'] })),
	);
	expect(pages().size).toBe(before.length);
	expect(await crm.rows()).toEqual(before);
});

test('a page of which no link is known is named, and the other rows are kept', async () => {
	const reference = 'inv-2026-0103';
	const others = async () => (await crm.rows()).filter((row) => row['reference'] !== reference);
	const before = await others();
	const { paymentPageLink = null } = await crm.row(reference);
	await crm.change(reference, { paymentPageLink: null });
	const failure = failureOf(await crm.run('create-pages-from-crm'));
	expect(failure).toContain(`Pages without a link: test-${reference}. They exist`);
	expect(await others()).toEqual(before);
	await crm.change(reference, { paymentPageLink });
});

test('after the CRM has changed, existing pages are updated and missing ones created', async () => {
	const existing = pages().size;
	await changeCrm(bed().tables);
	const rows = await crm.rows();
	const execution = await crm.run('check-and-update-or-create');
	expect(execution.status).toBe('success');
	const nodes = ['Check reference', 'Update page', 'Create page'];
	const counts = nodes.map((name) => runJson(execution, name).length);
	expect(counts).toEqual([rows.length, existing, rows.length - existing]);
	expect(rows.length).toBeGreaterThan(existing);
	expect(pages().size).toBe(rows.length);
	await expectLinks('test-', true);
});

/** The newest execution of a workflow, once there are so many and all of them have ended. */
async function newestOf(workflowId: string, executions: number) {
	const [newest] = await waitFor(
		async () => {
			const all = await bed().client.listExecutions(workflowId);
			const haveEnded = all.every(({ status }) => ['success', 'error'].includes(status));
			return all.length >= executions && haveEnded && all;
		},
		{ what: `${executions} executions to end`, timeoutMilliseconds: 60_000 },
	);
	return bed().client.getExecution(newest?.id ?? '');
}

/** Sends an event as the service would, whatever is in it. */
async function sendEvent(event: unknown): Promise<void> {
	const { state } = bed().sandbox;
	const body = JSON.stringify(event);
	const hmac = createHmac('sha256', state.registration?.secret ?? '').update(body);
	const headers = { 'Content-Type': 'application/json', 'X-Signature': hmac.digest('hex') };
	expect((await send(registeredUrl(bed().sandbox), { headers, body })).status).toBe(200);
}

const payment = {
	event: 'payment.completed',
	paymentPageLinkReference: 'test-inv-2026-0103',
	amount: 349.9,
	isTestMode: true,
};

describe('an event', () => {
	/** Of the workflow with the example that marks rows, and how often it has run. */
	let id: string;
	let count = 0;

	beforeAll(async () => {
		id = await bed().publish(await readExample('mark-row-as-paid'));
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
		['no amount', { ...payment, amount: undefined }],
		['a reference that no row has', { ...payment, paymentPageLinkReference: 'test-other' }],
		['a live payment of a test page', { ...payment, isTestMode: false }],
		['a live payment of a live page', { ...payment, paymentPageLinkReference: 'inv-2026-0103' }],
		['a body that is no object', 'paid'],
	])('marks nothing for %s, and says so', async (_name, event) => {
		expect(await failureFor(event)).toContain('Look at this event');
		expect(await crm.paid()).toEqual([]);
	});

	test('marks exactly the row whose page is paid, once, and leaves it alone when it is refunded', async () => {
		const { deliveries } = await bed().sandbox.pay('test-inv-2026-0102');
		expect(runJson(await newestOf(id, ++count), 'Mark row as paid')).toHaveLength(1);
		expect(await crm.paid()).toEqual(['inv-2026-0102']);
		await bed().sandbox.resend(deliveries[0]?.id ?? '');
		const again = await newestOf(id, ++count);
		expect([again.status, runJson(again, 'Mark row as paid')]).toEqual(['success', []]);

		const page = { paymentPageLinkReference: 'test-inv-2026-0102', amount: 890 };
		const refund = { ...payment, event: 'payment.refunded', ...page };
		expect(await failureFor(refund)).toContain('no payment of 890, mode: test');
		expect(await crm.paid()).toEqual(['inv-2026-0102']);
	});
});

test('hands each payment on to the workflow that it belongs to', async () => {
	const invoices = await bed().save(await readExample('handle-invoice-payment'));
	const others = await bed().save(await readExample('handle-other-payment'));
	const example = await readExample('route-payment-events');
	const router = await bed().save(withSubWorkflows(example, [invoices, others]));
	for (const { id } of [invoices, others, router]) await bed().client.activate(id);

	await sendEvent(payment);
	expect(runJson(await newestOf(invoices.id, 1), 'Mark row as paid')).toHaveLength(1);
	expect(await crm.paid()).toContain('inv-2026-0103');

	const other = { ...payment, paymentPageLinkReference: 'test-workshop-deposit-7', amount: 120 };
	await sendEvent(other);
	expect(runJson(await newestOf(others.id, 1), 'Message')).toEqual([
		{ message: 'Test payment of 120 received for page test-workshop-deposit-7' },
	]);
	await sendEvent({ ...other, event: 'payment.failed' });
	expect(failureOf(await newestOf(others.id, 2))).toContain('no payment of 120');
	expect((await newestOf(router.id, 3)).status).toBe('success');
});

test.each(['create-pages-from-crm', 'check-and-update-or-create'] as const)(
	'%s goes live with one switch: each row gets a new page and counts as unpaid',
	async (name) => {
		await bed().sandbox.reset();
		await crm.run('create-pages-from-crm');
		const paid = { paymentStatus: 'paid', reminders: 2, reminderStatus: 'sent' };
		await crm.change('inv-2026-0101', paid);
		const text = JSON.stringify(await readExample(name));
		const live = text.replace(/("name":"testMode","value":)true/, '$1false');
		const example = JSON.parse(live) as WorkflowContent;
		const rows = await crm.rows();
		expect((await bed().run(example)).status).toBe('success');
		expect(pages().size).toBe(2 * rows.length);
		await expectLinks('', false);
		for (const row of await crm.rows()) {
			expect([null, '']).toContain(row['paymentStatus']);
			expect(row['reminders']).toBe(0);
		}
	},
);
