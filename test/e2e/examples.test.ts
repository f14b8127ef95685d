import { changeCrm, customers, fillCrm } from '../../scripts/start/crm';
import type { DataTableRow } from '../../scripts/localN8n/dataTables';
import { crmTable, readExample } from '../../scripts/localN8n/examples';
import { runJson } from '../../scripts/localN8n/execution';
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

function amountsOf(crm: DataTableRow[]) {
	return crm.map((row) => [row['reference'], row['amount']]).sort();
}

function requestsTo(path: string) {
	return bed().sandbox.state.requests.filter(({ url }) => url.includes(path));
}

// The tests tell one story: each goes on from the pages and the CRM that the one before left.

test('makes each row of crm.csv a payment page and writes its link into the row', async () => {
	const crm = await customers(bed().tables);
	expect(crm.length).toBeGreaterThanOrEqual(25);
	expect(await bed().tables.rows(crmTable)).toHaveLength(crm.length + 1); // and a blank one
	const execution = await bed().run(await readExample('create-pages-from-crm'));
	expect(execution.status).toBe('success');

	expect(amounts()).toEqual(amountsOf(crm));
	for (const row of await customers(bed().tables)) {
		expect(row['paymentPageLink']).toBe(`${bed().sandbox.url}/pay/${String(row['reference'])}`);
		expect(bed().sandbox.state.pages.get(String(row['paymentPageId']))).toMatchObject({
			paymentPageLinkReference: row['reference'],
			pageName: `${String(row['description'])} (${String(row['customerName'])})`,
			notificationEmail: row['email'],
			isPhoneNumberRequired: row['phone'] === null,
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
	expect(runJson(execution, 'Create page')).toEqual(
		before.map((row) => ({
			skipped: true,
			exists: true,
			paymentPageLinkReference: row['reference'],
		})),
	);
	expect(requestsTo('/PaymentPages/Add')).toHaveLength(before.length);
	expect((await customers(bed().tables)).map((row) => row['paymentPageLink'])).toEqual(
		before.map((row) => row['paymentPageLink']),
	);
});

test('updates the pages that exist and creates the others, after the CRM has changed', async () => {
	const existing = amounts().length;
	await changeCrm(bed().tables);
	const crm = await customers(bed().tables);
	const execution = await bed().run(await readExample('check-and-update-or-create'));
	expect(execution.status).toBe('success');

	expect(runJson(execution, 'Validate reference')).toHaveLength(crm.length);
	expect(runJson(execution, 'Update page')).toHaveLength(existing);
	expect(runJson(execution, 'Create page')).toHaveLength(crm.length - existing);
	expect(crm.length).toBeGreaterThan(existing);
	expect(amounts()).toEqual(amountsOf(crm));
	expect(requestsTo('/PaymentPages/').filter(({ keyUsed }) => keyUsed !== 'privateKey')).toEqual(
		[],
	);
});
