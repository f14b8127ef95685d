import { type ExampleFile, readExample } from '../../scripts/localN8n/examples';
import { failureOf } from '../../scripts/localN8n/execution';
import { waitFor } from '../../scripts/shared/waitFor';
import { startTimeout, useSharedBed } from './support/bed';
import { useCrm } from './support/crm';
import { useMailServer } from './support/mailServer';
import { fileUnless, older, withoutTables } from './support/needs';

fileUnless(older, withoutTables);

/** The examples that remind customers of unpaid pages, with a mail server that sometimes fails. */
const bed = useSharedBed();
const crm = useCrm(bed);
const mailServer = useMailServer();
let workflowId: string;
let onceId: string;

jest.setTimeout(120_000);

beforeAll(async () => {
	await crm.run('create-pages-from-crm');
	await bed().publish(await readExample('mark-row-as-paid'));
	const store = async (file: ExampleFile) => {
		const example = await mailServer.sendingHere(bed().client, await readExample(file));
		return (await bed().save(example)).id;
	};
	workflowId = await store('remind-unpaid');
	onceId = await store('remind-once');
}, startTimeout);

const trigger = 'Every morning';

/** Runs the workflow; gives the mails that arrived, and why it failed if it did. */
async function run(id = workflowId) {
	const execution = await bed().client.run(id, trigger);
	const failure = execution.status === 'success' ? '' : failureOf(execution);
	return { mails: mailServer.takeMails(), failure };
}

/** Runs it; its failure, if any, ends with the reminders that somebody has to look at. */
async function expectReminders(reminders: string[], toLookAt = ''): Promise<void> {
	const { mails, failure } = await run();
	const subjects = mails.map(({ subject }) => subject);
	expect([subjects, failure.split(': ').at(-1)]).toEqual([reminders, toLookAt]);
}

const first = (reference: string) => `Invoice ${reference} is waiting for your payment`;

/** A moment so many days ago, on the safe side of what summer time does to the length of a day. */
function daysAgo(days: number): string {
	return new Date(Date.now() - (days * 24 + 2) * 3_600_000).toISOString();
}

/** Makes rows due for their first reminder. */
async function open(...references: string[]): Promise<void> {
	for (const reference of references) await crm.change(reference, { pageCreatedAt: daysAgo(3) });
}

async function pay(reference: string): Promise<void> {
	await bed().sandbox.pay(`test-${reference}`);
	await waitFor(async () => (await crm.paid()).includes(reference), {
		what: `${reference} to be marked as paid`,
	});
}

test('reminds once, three days after the page was created, and nobody who has paid', async () => {
	await expectReminders([]);
	await open('inv-2026-0101', 'inv-2026-0102', 'inv-2026-0104', 'inv-2026-0106');
	await crm.change('inv-2026-0103', { pageCreatedAt: daysAgo(2.7) });
	await pay('inv-2026-0104');
	// It is due when the run begins.
	mailServer.onNextMail = () => pay('inv-2026-0106');
	const { mails, failure } = await run();
	expect(failure).toBe('');
	const [reminder, ...others] = mails;
	expect(reminder).toEqual({
		// The page is a test page, so the customer hears nothing of it.
		to: 'office@harbourlight.example',
		subject: first('inv-2026-0101'),
		text: expect.stringMatching(
			/^Hello Amelia Hart,\n\nyour payment of 1249\.50 for "Website redesign first instalment"/,
		),
	});
	expect(reminder?.text).toContain(`\n${bed().sandbox.url}/pay/test-inv-2026-0101\n`);
	expect(others.map(({ subject }) => subject)).toEqual([first('inv-2026-0102')]);
	expect(await crm.row('inv-2026-0101')).toMatchObject({ reminders: 1, reminderStatus: 'sent' });
	expect(await crm.row('inv-2026-0106')).toMatchObject({ reminders: 0, reminderStatus: null });
	await expectReminders([]);
});

test.each([
	[3.7, []],
	[4, ['Second reminder: invoice inv-2026-0101']],
	[6.7, []],
	[7, ['Last reminder: invoice inv-2026-0101']],
	[90, []],
])('after %d days more, sends the reminder that is due then: %j', async (days, reminders) => {
	await crm.change('inv-2026-0101', { remindedAt: daysAgo(days) });
	await expectReminders(reminders);
});

test('tells of a reminder that the mail server rejected, and the next run sends it', async () => {
	await open('inv-2026-0107', 'inv-2026-0108');
	// A live page, so its reminder goes to the customer.
	await crm.change('inv-2026-0107', { pageReference: 'inv-2026-0107' });
	mailServer.rejected.add('giulia@studiodangelo.example');
	await expectReminders([first('inv-2026-0108')], 'inv-2026-0107 (not sent)');
	expect(await crm.row('inv-2026-0107')).toMatchObject({
		reminders: 0,
		reminderStatus: expect.stringMatching(/^not sent: Can't send mail .*450 Try again later$/),
	});
	mailServer.rejected.clear();
	await expectReminders([first('inv-2026-0107')]);
	expect(await crm.row('inv-2026-0107')).toMatchObject({ reminders: 1, reminderStatus: 'sent' });
	await expectReminders([]);
});

test('does not repeat a reminder whose connection broke off after it was handed over', async () => {
	await open('inv-2026-0110', 'inv-2026-0111');
	mailServer.onNextMail = () => mailServer.cut();
	const unclear = 'inv-2026-0110 (unclear)';
	await expectReminders([first('inv-2026-0110'), first('inv-2026-0111')], unclear);
	await expectReminders([], unclear);
	// What the note asks of who has found it in the log of the mail server.
	await crm.change('inv-2026-0110', { reminderStatus: 'sent' });
	await expectReminders([]);
});

test('the small example reminds once, after three days, and nobody who has paid', async () => {
	await open('inv-2026-0118', 'inv-2026-0120', 'inv-2026-0121');
	await crm.change('inv-2026-0119', { pageCreatedAt: daysAgo(2.7) });
	await crm.change('inv-2026-0120', { pageReference: 'inv-2026-0120' });
	await pay('inv-2026-0121');
	// Another run while this one sends finds nothing left to do.
	mailServer.onNextMail = () => bed().client.run(onceId, trigger);
	const { mails, failure } = await run(onceId);
	expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
		['office@harbourlight.example', first('inv-2026-0118')],
		['zoe@zoesflowers.example', first('inv-2026-0120')],
	]);
	expect(failure).toBe('');
	expect(await crm.row('inv-2026-0118')).toMatchObject({ reminders: 1 });
	expect(await run(onceId)).toEqual({ mails: [], failure: '' });
});
