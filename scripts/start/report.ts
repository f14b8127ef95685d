import type { DataTableRow } from '../localN8n/dataTables';

const columns: Array<{ title: string; value: (row: DataTableRow) => string; right?: boolean }> = [
	{ title: 'Customer', value: ({ customerName }) => String(customerName) },
	{ title: 'Amount', value: ({ amount }) => Number(amount).toFixed(2), right: true },
	{ title: 'Status', value: ({ paymentStatus }) => String(paymentStatus ?? 'open') },
	{ title: 'Payment page', value: ({ paymentPageLink }) => String(paymentPageLink ?? '-') },
];

/** The CRM rows with their links as a table for the terminal. */
export function reportTable(rows: DataTableRow[]): string {
	const cells = columns.map(({ title, value }) => [title, ...rows.map(value)]);
	const widths = cells.map((column) => Math.max(...column.map((text) => text.length)));
	const lines = cells[0]?.map((_, line) =>
		columns
			.map(({ right }, index) => {
				const text = cells[index]?.[line] ?? '';
				const width = widths[index] ?? 0;
				return right ? text.padStart(width) : text.padEnd(width);
			})
			.join('  ')
			.trimEnd(),
	);
	return lines?.join('\n') ?? '';
}
