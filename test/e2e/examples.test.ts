import type { INode } from 'n8n-workflow';
import { changeCrm, customers, fillCrm } from '../../scripts/start/crm';
import type { DataTableRow } from '../../scripts/localN8n/dataTables';
import { crmTable, readExample } from '../../scripts/localN8n/examples';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import { useSharedBed } from './support/sharedBed';

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

function requestsTo(path: string) {
	return bed().sandbox.state.requests.filter(({ url }) => url.includes(path));
}

async function rowOf(reference: string): Promise<DataTableRow | undefined> {
	return (await customers(bed().tables)).find((row) => row['reference'] === reference);
}

async function change(reference: string, changes: DataTableRow): Promise<void> {
	await bed().tables.updateRows(crmTable, 'reference', reference, changes);
}

// The tests tell one story: each goes on from the pages and the CRM that the one before left.

test('makes each row of crm.csv a test page and writes its link into the row', async () => {
	const crm = await customers(bed().tables);
	expect(crm.length).toBeGreaterThanOrEqual(25);
	expect(await bed().tables.rows(crmTable)).toHaveLength(crm.length + 1); // and a blank one
	const execution = await bed().run(await readExample('create-pages-from-crm'));
	expect(execution.status).toBe('success');

	expect(amounts()).toEqual(amountsOf(crm));
	for (const row of await customers(bed().tables)) {
		const pageReference = `test-${String(row['reference'])}`;
		expect(row).toMatchObject({
			pageReference,
			paymentPageLink: `${bed().sandbox.url}/pay/${pageReference}`,
		});
		expect(bed().sandbox.state.pages.get(String(row['paymentPageId']))).toMatchObject({
			paymentPageLinkReference: pageReference,
			pageName: `${String(row['description'])} (${String(row['customerName'])})`,
			isTestMode: true,
			isFixedAmount: true,
			notificationEmail: 'office@harbourlight.example',
		});
	}
	expect(requestsTo('/PaymentPages/Add').map(({ keyUsed }) => keyUsed)).toEqual(
		crm.map(() => 'privateKey'),
	);
});

test('creates nothing when it runs again, and keeps the links', async () => {
	const before = await customers(bed().tables);
	const execution = await bed().run(await readExample('create-pages-from-crm'));
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Create page')).toMatchObject(
		before.map((row) => ({ skipped: true, paymentPageLinkReference: row['pageReference'] })),
	);
	expect(requestsTo('/PaymentPages/Add')).toHaveLength(before.length);
	expect(await customers(bed().tables)).toEqual(before);
});

test('names a page of which no link is known, and keeps the other rows', async () => {
	const before = await rowOf('inv-2026-0103');
	await change('inv-2026-0103', { paymentPageLink: null });
	const execution = await bed().run(await readExample('create-pages-from-crm'));
	expect(failureOf(execution)).toContain('Pages without a link: test-inv-2026-0103. They exist');
	await change('inv-2026-0103', { paymentPageLink: before?.['paymentPageLink'] ?? '' });
});

test('updates the pages that exist and creates the others, after the CRM has changed', async () => {
	const existing = amounts().length;
	await changeCrm(bed().tables);
	const crm = await customers(bed().tables);
	const execution = await bed().run(await readExample('check-and-update-or-create'));
	expect(execution.status).toBe('success');

	expect(runJson(execution, 'Check reference')).toHaveLength(crm.length);
	expect(runJson(execution, 'Update page')).toHaveLength(existing);
	expect(runJson(execution, 'Create page')).toHaveLength(crm.length - existing);
	expect(crm.length).toBeGreaterThan(existing);
	expect(amounts()).toEqual(amountsOf(crm));
	expect(requestsTo('/PaymentPages/').filter(({ keyUsed }) => keyUsed !== 'privateKey')).toEqual(
		[],
	);
});

test.each(['create-pages-from-crm', 'check-and-update-or-create'] as const)(
	'%s goes live with one switch: each row gets a new page and counts as unpaid',
	async (name) => {
		await bed().sandbox.reset();
		await bed().run(await readExample('create-pages-from-crm'));
		await change('inv-2026-0101', { paymentStatus: 'paid', reminders: 2, reminderStatus: 'sent' });
		const example = await readExample(name);
		const nodes = example.nodes.map(
			(node): INode =>
				node.name === 'Settings'
					? (JSON.parse(
							JSON.stringify(node).replace(
								'"name":"testMode","value":true',
								'"name":"testMode","value":false',
							),
						) as INode)
					: node,
		);
		const crm = await customers(bed().tables);
		const execution = await bed().run({ ...example, nodes });
		expect(execution.status).toBe('success');
		expect(amounts()).toEqual([...amountsOf(crm), ...amountsOf(crm, '')].sort());
		for (const row of await customers(bed().tables)) {
			expect(row).toMatchObject({
				pageReference: row['reference'],
				paymentPageLink: `${bed().sandbox.url}/pay/${String(row['reference'])}`,
			});
			expect(bed().sandbox.state.pages.get(String(row['paymentPageId']))?.isTestMode).toBe(false);
			expect([null, '']).toContain(row['paymentStatus']);
			expect(row['reminders']).toBe(0);
		}
	},
);
