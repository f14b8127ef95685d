import { useSandbox } from '../engine/sandbox';
import { useQuickWaits } from '../support/quickWaits';
import { itemsFor, parametersFor } from './list/mappings';
import { judge, type Verdict } from './list/oracle';
import { checkRerun, checkRun } from './list/rules';
import { lists, runList, setUp, type List } from './list/service';
import type { Table } from './list/tables';
import { testModel } from './support/testModel';

/**
 * Lists as people have them, mapped as people map them, at a service on a bad day: every row becomes
 * one page with exactly its values, or a sentence.
 */

useQuickWaits();
const sandbox = useSandbox();

/** The table and the panel, as a person would see them. */
function shown(list: List, verdicts: Verdict[]): string {
	const { table, mapping, settings, service } = list;
	const rows = itemsFor(table, mapping).map((item, row) => {
		const { outcome = '', because = '' } = verdicts[row] ?? {};
		return `  ${JSON.stringify(item)}  should be: ${outcome} (${because})`;
	});
	const more = Object.entries({ parameters: parametersFor(table, mapping), settings, service });
	return [...rows, ...more.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)].join('\n');
}

async function check(list: List, verdicts: Verdict[]): Promise<void> {
	const { service } = sandbox;
	await service.reset();
	setUp(service, list.service);
	checkRun(await runList(sandbox, list), list, verdicts);
	if (list.settings.ifReferenceExists === 'create') return;
	const again: List = {
		...list,
		settings: { ...list.settings, onError: 'continueErrorOutput' },
		service: { ...list.service, create: null, question: null },
	};
	setUp(service, again.service);
	checkRerun(await runList(sandbox, again), list, verdicts);
}

async function run(list: List): Promise<void> {
	const verdicts = judge(list);
	await check(list, verdicts).catch((error: unknown) => {
		throw new Error(`${String(error)}\n${shown(list, verdicts)}`, { cause: error });
	});
}

/** Invoices by their number, at a service that folds references, run with Skip. */
function invoices(source: Table['source'], before: string[], rows: Record<string, number>): List {
	const number = { form: 'column', role: 'number', from: '$json', as: 'dragged' } as const;
	const table: Table['rows'] = Object.entries(rows).map(([text, cents]) => ({
		...{ name: null, number: text, tax: null, paid: null, test: null },
		total: { cents, written: 'dot' },
	}));
	const own = {
		pageName: ['Invoice '],
		amount: [{ ...number, role: 'total' as const }],
		paymentPageLinkReference: [...before, number],
	};
	const settings = { ifReferenceExists: 'skip', onError: 'continueErrorOutput' } as const;
	return {
		table: { source, language: 'English', rows: table },
		mapping: { mode: 'below', isFixedAmount: true, own, optionalFields: {} },
		settings: { ...settings, retryOnFail: false, batchSize: 0, maxParallelRequests: 5 },
		service: { foldsReferences: true, duplicateReferences: 'allow', create: null, question: null },
	};
}

const examples: List[] = [
	// The second was skipped for the first, which has another amount.
	invoices('csv', [], { 'inv-1': 500, 'INV-1': 5000 }),
	// A spreadsheet's error in a list of one was sent.
	invoices('airtable', ['INV-'], { '#REF!': 500 }),
];

testModel('a list', { steps: lists, runs: 300, examples, run });
