import type { DataTableRow, DataTables } from '../localN8n/dataTables';
import { crmFile, crmTable } from '../localN8n/examples';

/** The CRM as the CSV file has it; what an earlier start left in the table is gone. */
export async function fillCrm(tables: DataTables): Promise<void> {
	await tables.replaceFromCsv(crmTable, crmFile);
}

/** The rows of the CRM but for the blank one, which real tables have and the examples filter out. */
export async function customers(tables: DataTables): Promise<DataTableRow[]> {
	return (await tables.rows(crmTable)).filter((row) => row['customerId'] !== null);
}

const newCustomers: DataTableRow[] = [
	{
		customerId: 'C-1029',
		company: 'Brightwater Ltd',
		customerName: 'Amelia Hart',
		email: 'amelia.hart@brightwater.example',
		phone: '+44 20 7946 0018',
		amount: 1249.5,
		description: 'Website redesign second instalment',
		reference: 'inv-2026-0129',
	},
	{
		customerId: 'C-1030',
		company: 'Tōkyō Tea House',
		customerName: 'Yūki Tanaka',
		email: 'yuki@tokyotea.example',
		phone: '',
		amount: 318.7,
		description: 'Menu photographs',
		reference: 'inv-2026-0130',
	},
];

/** What sales does while the pages are out: it changes an amount and adds two customers. */
export async function changeCrm(tables: DataTables): Promise<void> {
	await tables.updateRows(crmTable, 'reference', 'inv-2026-0104', { amount: 99.75 });
	await tables.insertRows(crmTable, newCustomers);
}
