import type { DataTableRow } from '../../../scripts/localN8n/dataTables';
import { crmTable, type ExampleFile, readExample } from '../../../scripts/localN8n/examples';
import { customers, fillCrm } from '../../../scripts/start/crm';
import type { Bed } from './bed';

/** The CRM that the examples read and write, for the file that calls it. */
export function useCrm(bed: () => Bed) {
	beforeAll(() => fillCrm(bed().tables));
	/** All but the blank one. */
	const rows = () => customers(bed().tables);
	return {
		rows,
		async row(reference: string): Promise<DataTableRow> {
			const row = (await rows()).find((each) => each['reference'] === reference);
			if (!row) throw new Error(`There is no row ${reference}.`);
			return row;
		},
		/** The references of the rows that are marked as paid. */
		async paid() {
			const paid = (await rows()).filter((row) => row['paymentStatus'] === 'paid');
			return paid.map((row) => row['reference']);
		},
		change: (reference: string, changes: DataTableRow) =>
			bed().tables.updateRows(crmTable, 'reference', reference, changes),
		run: async (file: ExampleFile) => bed().run(await readExample(file)),
	};
}
