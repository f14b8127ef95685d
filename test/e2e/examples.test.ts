import type { DataTableRow } from '../../scripts/localN8n/dataTables';
import { crmTable, readExample } from '../../scripts/localN8n/examples';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import { changeCrm, customers, fillCrm } from '../../scripts/start/crm';
import { useSharedBed } from './support/bed';
import { changedNodes } from './support/workflow';
import { fileUnless, older, withoutTables } from './support/cannot';

fileUnless(older, withoutTables);

/** The examples that make pages of a CRM. The tests tell one story: each goes on from what is there. */
const bed = useSharedBed();

beforeAll(async () => {
	await fillCrm(bed().tables);
});

/** What the sandbox holds, in the order of the references: requests in parallel overtake each other. */
function amounts() {
	const pages = [...bed().sandbox.state.pages.values()];
	return pages.map((page) => [page.paymentPageLinkReference, page.amount]).sort();
}

function amountsOf(crm: DataTableRow[], prefix = 'test-') {
	return crm.map((row) => [`${prefix}${String(row['reference'])}`, row['amount']]).sort();
}

function keysUsed(path: string) {
	const requests = bed().sandbox.state.requests.filter(({ url }) => url.includes(path));
	return requests.map(({ keyUsed }) => keyUsed);
}

async function change(reference: string, changes: DataTableRow): Promise<void> {
	await bed().tables.updateRows(crmTable, 'reference', reference, changes);
}

async function run(...[file]: Parameters<typeof readExample>) {
	return bed().run(await readExample(file));
}

/** Each row has the ID and the link of its page. */
async function expectLinks(prefix: string, isTestMode: boolean): Promise<void> {
	const { url, state } = bed().sandbox;
	for (const row of await customers(bed().tables)) {
		const pageReference = `${prefix}${String(row['reference'])}`;
		expect(row).toMatchObject({ pageReference, paymentPageLink: `${url}/pay/${pageReference}` });
		expect(state.pages.get(String(row['paymentPageId']))).toMatchObject({
			paymentPageLinkReference: pageReference,
			pageName: `${String(row['description'])} (${String(row['customerName'])})`,
			isTestMode,
			isFixedAmount: true,
			notificationEmail: 'office@harbourlight.example',
		});
	}
}

test('each row of crm.csv becomes a test page and gets its link, once', async () => {
	const crm = await customers(bed().tables);
	expect(crm.length).toBeGreaterThanOrEqual(25);
	expect(await bed().tables.rows(crmTable)).toHaveLength(crm.length + 1); // and a blank one
	expect((await run('create-pages-from-crm')).status).toBe('success');
	expect(amounts()).toEqual(amountsOf(crm));
	await expectLinks('test-', true);
	expect(keysUsed('/PaymentPages/Add')).toEqual(crm.map(() => 'privateKey'));

	const before = await customers(bed().tables);
	expect(runJson(await run('create-pages-from-crm'), 'Create page')).toMatchObject(
		before.map((row) => ({ skipped: true, paymentPageLinkReference: row['pageReference'] })),
	);
	expect(keysUsed('/PaymentPages/Add')).toHaveLength(before.length);
	expect(await customers(bed().tables)).toEqual(before);
});

test('a page of which no link is known is named, and the other rows are kept', async () => {
	const reference = 'inv-2026-0103';
	const others = async () =>
		(await customers(bed().tables)).filter((row) => row['reference'] !== reference);
	const before = await others();
	const paymentPageLink = `${bed().sandbox.url}/pay/test-${reference}`;
	await change(reference, { paymentPageLink: null });
	const execution = await run('create-pages-from-crm');
	expect(failureOf(execution)).toContain(`Pages without a link: test-${reference}. They exist`);
	expect(await others()).toEqual(before);
	await change(reference, { paymentPageLink });
});

test('after the CRM has changed, existing pages are updated and missing ones created', async () => {
	const existing = amounts().length;
	await changeCrm(bed().tables);
	const crm = await customers(bed().tables);
	const execution = await run('check-and-update-or-create');
	expect(execution.status).toBe('success');
	const counts = ['Check reference', 'Update page', 'Create page'].map(
		(name) => runJson(execution, name).length,
	);
	expect(counts).toEqual([crm.length, existing, crm.length - existing]);
	expect(crm.length).toBeGreaterThan(existing);
	expect(amounts()).toEqual(amountsOf(crm));
	expect(new Set(keysUsed('/PaymentPages/'))).toEqual(new Set(['privateKey']));
});

test.each(['create-pages-from-crm', 'check-and-update-or-create'] as const)(
	'%s goes live with one switch: each row gets a new page and counts as unpaid',
	async (name) => {
		await bed().sandbox.reset();
		await run('create-pages-from-crm');
		await change('inv-2026-0101', { paymentStatus: 'paid', reminders: 2, reminderStatus: 'sent' });
		const example = changedNodes(await readExample(name), {
			Settings: (node) =>
				JSON.parse(
					JSON.stringify(node).replace(/("name":"testMode","value":)true/, '$1false'),
				) as typeof node,
		});
		const crm = await customers(bed().tables);
		expect((await bed().run(example)).status).toBe('success');
		expect(amounts()).toEqual([...amountsOf(crm), ...amountsOf(crm, '')].sort());
		await expectLinks('', false);
		for (const row of await customers(bed().tables)) {
			expect([null, '']).toContain(row['paymentStatus']);
			expect(row['reminders']).toBe(0);
		}
	},
);
