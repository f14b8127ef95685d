import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import { type Execution, runItems, runJson } from '../../scripts/localN8n/execution';
import { release } from '../../scripts/localN8n/installation';
import { useSharedBed } from './support/sharedBed';
import {
	anyPage,
	manualTrigger,
	node,
	paymentPage,
	rows as listRows,
	workflow,
} from './support/workflow';

/**
 * Rows as sheets and CRMs really have them, all invented: `dirtyRows.tsv` says of each what it holds
 * and what comes of it, a page or a sentence. Signs that nobody sees are written as in JSON there.
 */
const bed = useSharedBed();

const table = 'Dirty rows';

/** The lines of the file, each as its cells by the name of the column. */
async function readRows(): Promise<Array<Record<string, string>>> {
	const text = await readFile(path.join(__dirname, 'dirtyRows.tsv'), 'utf8');
	const [names = [], ...lines] = text
		.trimEnd()
		.split('\n')
		.map((line) => line.split('\t').map(unescaped));
	return lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at] ?? '', cell])));
}

function unescaped(cell: string): string {
	return JSON.parse(`"${cell.replaceAll('"', '\\"')}"`) as string;
}

/** Imports the rows as people do; a blank cell is null in the data table. */
async function importRows(rows: Array<Record<string, string>>): Promise<void> {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-rows-'));
	const file = path.join(folder, 'rows.csv');
	const names = Object.keys(rows[0] ?? {});
	const quoted = (cell = '') => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`);
	const lines = rows.map((row) => names.map((name) => quoted(row[name])).join(','));
	try {
		await writeFile(file, `${[names.join(','), ...lines].join('\n')}\n`);
		await bed().tables.replaceFromCsv(table, file);
	} finally {
		await rm(folder, { recursive: true });
	}
}

const readTable = node(
	'Rows',
	'n8n-nodes-base.dataTable',
	{
		resource: 'row',
		operation: 'get',
		dataTableId: { __rl: true, mode: 'name', value: table },
		returnAll: true,
		orderBy: true,
		orderByColumn: 'id',
		orderByDirection: 'ASC',
	},
	{ typeVersion: 1.1 },
);

/** The values that a data table has after the import. */
function valuesOf(rows: Array<Record<string, string>>): IDataObject[] {
	const valueOf = (name: string, cell: string) => (name === 'price' ? Number(cell) : cell);
	return rows.map((row) =>
		Object.fromEntries(
			Object.entries(row).map(([name, cell]) => [name, cell === '' ? null : valueOf(name, cell)]),
		),
	);
}

/** The nodes that bring in the rows: from a data table, unless n8n would import them as others. */
async function source(rows: Array<Record<string, string>>): Promise<INode[]> {
	if (!release.importsBlankCells) return listRows(valuesOf(rows));
	await importRows(rows);
	return [readTable];
}

const createPages = paymentPage(
	{
		operation: 'create',
		...anyPage,
		simplify: false,
		pageName: '={{ $json.what }} ({{ $json.customer }})',
		amount: '={{ $json.price ?? $json.total }}',
		paymentPageLinkReference: '={{ $json.number }}',
		optionalFields: {
			notificationEmail: '={{ $json.email }}',
			isTestMode: '={{ $json.test }}',
			callBackUrl: '={{ $json.callback }}',
		},
	},
	{ onError: 'continueErrorOutput' },
);

/** Fields that the file describes only where the row gives them. */
const moreFields = { test: 'isTestMode', email: 'notificationEmail', callback: 'callBackUrl' };

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A page as the file describes it. */
function described(page: IDataObject, row: Record<string, string>): string {
	const { paymentPageLinkReference, pageName, amount } = page;
	const more = Object.entries(moreFields)
		.filter(([column]) => row[column] !== '')
		.map(([, field]) => `${field} ${textOf(page[field])}`);
	const main = [paymentPageLinkReference, pageName, amount ?? 'no amount'].map(textOf);
	return [...main, ...more].join(' | ');
}

/** What came of each row: the page that the node gave out, or the sentence at its error output. */
function outcomesOf(execution: Execution, rows: Array<Record<string, string>>): string[] {
	const outcomes: string[] = [];
	const note = (output: number, describe: (json: IDataObject, row: number) => string) => {
		for (const { json, pairedItem } of runItems(execution, 'Payment Page', output)) {
			const { item } = pairedItem as { item: number };
			outcomes[item] = describe(json, item);
		}
	};
	note(0, (json, row) => described(json, rows[row] ?? {}));
	note(1, ({ error }) => textOf(error));
	return outcomes;
}

test('makes the right page of each of 200 rows, or says what is wrong with the row', async () => {
	const rows = await readRows();
	expect(rows).toHaveLength(200);
	const nodes = [manualTrigger(), ...(await source(rows)), createPages];
	const execution = await bed().run(workflow('Dirty rows', nodes));
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Rows')).toMatchObject(valuesOf(rows));

	const outcomes = outcomesOf(execution, rows);
	const line = ({ kind = '', ...row }: Record<string, string>, outcome = '') =>
		`${kind}: ${JSON.stringify({ ...row, outcome: undefined })} → ${outcome}`;
	expect(rows.map((row, at) => line(row, outcomes[at]))).toEqual(
		rows.map((row) => line(row, row['outcome'])),
	);

	const pages = [...bed().sandbox.state.pages.values()];
	const given = runItems(execution, 'Payment Page').map(({ json }) => json);
	const identity = ({ id, paymentPageLinkReference, amount }: Record<string, unknown>) =>
		[id, paymentPageLinkReference, amount ?? ''].map(String).join(' ');
	expect(pages.map((page) => identity({ ...page })).sort()).toEqual(given.map(identity).sort());
	expect(bed().sandbox.state.requests).toHaveLength(given.length);
}, 120_000);
