import type { DataTableRow } from '../../scripts/localN8n/dataTables';
import { crmTable, type ExampleFile, readExample } from '../../scripts/localN8n/examples';
import { failureOf } from '../../scripts/localN8n/execution';
import { waitFor } from '../../scripts/shared/waitFor';
import { fillCrm } from '../../scripts/start/crm';
import { startTimeout, useSharedBed } from './support/bed';
import { useMailServer } from './support/mailServer';
import { fileUnless, older, withoutTables } from './support/cannot';

fileUnless(older, withoutTables);

/** The example that reminds customers of unpaid pages, with a mail server that sometimes fails. */
const bed = useSharedBed();
const mailServer = useMailServer();
let workflowId: string;
let onceId: string;

jest.setTimeout(120_000);

beforeAll(async () => {
	const { client, tables } = bed();
	await fillCrm(tables);
	await bed().run(await readExample('create-pages-from-crm'));
	const { id } = await bed().save(await readExample('mark-row-as-paid'));
	await client.activate(id);
	const store = async (file: ExampleFile) => {
		const example = await mailServer.sendingHere(client, await readExample(file));
		return (await client.createWorkflow(example)).id;
	};
	workflowId = await store('remind-unpaid');
	onceId = await store('remind-once');
}, startTimeout);

const trigger = 'Every morning';

/** Runs the workflow and says how it ended, and what arrived meanwhile. */
async function remind(id = workflowId) {
	const execution = await bed().client.run(id, trigger);
	const reminders = mailServer.takeMails().map(({ subject }) => subject);
	return { reminders, failure: execution.status === 'success' ? null : failureOf(execution) };
}

function first(reference: string): string {
	return `Invoice ${reference} is waiting for your payment`;
}

/** A moment so many days ago, on the safe side of what summer time does to the length of a day. */
function daysAgo(days: number): string {
	return new Date(Date.now() - (days * 24 + 2) * 3_600_000).toISOString();
}

async function change(reference: string, changes: DataTableRow): Promise<void> {
	await bed().tables.updateRows(crmTable, 'reference', reference, changes);
}

/** Makes rows due for their first reminder. */
async function open(...references: string[]): Promise<void> {
	for (const reference of references) await change(reference, { pageCreatedAt: daysAgo(3) });
}

async function rowOf(reference: string): Promise<DataTableRow> {
	const rows = await bed().tables.rows(crmTable);
	const row = rows.find((each) => each['reference'] === reference);
	if (!row) throw new Error(`There is no row ${reference}.`);
	return row;
}

async function pay(reference: string): Promise<void> {
	await bed().sandbox.pay(`test-${reference}`);
	await waitFor(async () => (await rowOf(reference))['paymentStatus'] === 'paid', {
		what: `${reference} to be marked as paid`,
	});
}

test('reminds once, three days after the page was created, and nobody who has paid', async () => {
	expect(await remind()).toEqual({ reminders: [], failure: null });

	await open('inv-2026-0101', 'inv-2026-0102', 'inv-2026-0104', 'inv-2026-0106');
	await change('inv-2026-0103', { pageCreatedAt: daysAgo(2.7) });
	await pay('inv-2026-0104');
	// It is due when the run begins.
	mailServer.onNextMail = () => pay('inv-2026-0106');
	const { client, sandbox } = bed();
	expect((await client.run(workflowId, trigger)).status).toBe('success');
	const [reminder, ...others] = mailServer.takeMails();
	expect(reminder).toEqual({
		// The page is a test page, so the customer hears nothing of it.
		to: 'office@harbourlight.example',
		subject: first('inv-2026-0101'),
		text: expect.stringContaining(`\n${sandbox.url}/pay/test-inv-2026-0101\n`),
	});
	expect(reminder?.text).toMatch(
		/^Hello Amelia Hart,\n\nyour payment of 1249\.50 for "Website redesign first instalment"/,
	);
	expect(others.map(({ subject }) => subject)).toEqual([first('inv-2026-0102')]);
	expect(await rowOf('inv-2026-0101')).toMatchObject({ reminders: 1, reminderStatus: 'sent' });
	expect(await rowOf('inv-2026-0106')).toMatchObject({ reminders: 0, reminderStatus: null });

	expect(await remind()).toEqual({ reminders: [], failure: null });
});

test('sends the second and the third reminder when their days have passed, and no fourth', async () => {
	for (const [days, ...reminders] of [
		[3.7],
		[4, 'Second reminder: invoice inv-2026-0101'],
		[6.7],
		[7, 'Last reminder: invoice inv-2026-0101'],
		[90],
	] as const) {
		await change('inv-2026-0101', { remindedAt: daysAgo(days) });
		expect(await remind()).toEqual({ reminders, failure: null });
	}
});

test('tells of a reminder that the mail server rejected, and the next run sends it', async () => {
	await open('inv-2026-0107', 'inv-2026-0108');
	// A live page, so its reminder goes to the customer.
	await change('inv-2026-0107', { pageReference: 'inv-2026-0107' });
	mailServer.rejected.add('giulia@studiodangelo.example');
	expect(await remind()).toEqual({
		reminders: [first('inv-2026-0108')],
		failure: expect.stringMatching(/: inv-2026-0107 \(not sent\)$/),
	});
	expect(await rowOf('inv-2026-0107')).toMatchObject({
		reminders: 0,
		reminderStatus: expect.stringMatching(/^not sent: Can't send mail .*450 Try again later$/),
	});

	mailServer.rejected.clear();
	expect(await remind()).toEqual({ reminders: [first('inv-2026-0107')], failure: null });
	expect(await rowOf('inv-2026-0107')).toMatchObject({ reminders: 1, reminderStatus: 'sent' });
	expect(await remind()).toEqual({ reminders: [], failure: null });
});

test('does not repeat a reminder whose connection broke off after it was handed over', async () => {
	await open('inv-2026-0110', 'inv-2026-0111');
	mailServer.onNextMail = () => mailServer.cut();
	const { reminders, failure } = await remind();
	expect(reminders).toEqual([first('inv-2026-0110'), first('inv-2026-0111')]);
	expect(failure).toMatch(/: inv-2026-0110 \(unclear\)$/);
	expect(await remind()).toEqual({ reminders: [], failure });

	// What the note asks of who has found it in the log of the mail server.
	await change('inv-2026-0110', { reminderStatus: 'sent' });
	expect(await remind()).toEqual({ reminders: [], failure: null });
});

test('does not repeat a reminder during which the run was stopped', async () => {
	await open('inv-2026-0112', 'inv-2026-0114');
	const { client } = bed();
	const started = client.startRun(workflowId, trigger);
	mailServer.onNextMail = async () => client.stopExecution((await started) ?? '');
	const stopped = await client.waitForExecution(workflowId, (await started) ?? '');
	expect(stopped.status).toBe('canceled');
	expect(mailServer.takeMails()).toMatchObject([{ subject: first('inv-2026-0112') }]);

	const { reminders, failure } = await remind();
	expect(reminders).toEqual([first('inv-2026-0114')]);
	expect(failure).toMatch(/: inv-2026-0112 \(unclear\)$/);
	// What the note asks of who has not found it there.
	await change('inv-2026-0112', { reminders: 0, reminderStatus: null });
	expect(await remind()).toEqual({ reminders: [first('inv-2026-0112')], failure: null });
});

test('sends a reminder once when two runs are under way', async () => {
	await open('inv-2026-0116', 'inv-2026-0117');
	const { client } = bed();
	mailServer.onNextMail = () => client.run(workflowId, trigger);
	expect(await remind()).toEqual({
		reminders: [first('inv-2026-0116'), first('inv-2026-0117')],
		failure: null,
	});
});

test('the small example reminds once, after three days, and nobody who has paid', async () => {
	const references = ['inv-2026-0118', 'inv-2026-0119', 'inv-2026-0120', 'inv-2026-0121'];
	for (const reference of references) await change(reference, { pageCreatedAt: daysAgo(3) });
	await change('inv-2026-0119', { pageCreatedAt: daysAgo(2.7) });
	await change('inv-2026-0120', { pageReference: 'inv-2026-0120' });
	await pay('inv-2026-0121');
	const { client } = bed();
	// Another run while this one sends finds nothing left to do.
	mailServer.onNextMail = () => client.run(onceId, trigger);
	expect((await client.run(onceId, trigger)).status).toBe('success');
	expect(mailServer.takeMails().map(({ to, subject }) => [to, subject])).toEqual([
		['office@harbourlight.example', first('inv-2026-0118')],
		['zoe@zoesflowers.example', first('inv-2026-0120')],
	]);
	expect(await rowOf('inv-2026-0118')).toMatchObject({ reminders: 1 });
	expect(await remind(onceId)).toEqual({ reminders: [], failure: null });
});
