import fc from 'fast-check';

import { useSandbox } from '../engine/sandbox';
import { automatic } from './listColumns';
import { below } from './listMappings';
import { judge, type List } from './listOracle';
import { checkRerun, checkRun } from './listRules';
import { itemsFor, parametersFor, runList } from './listRun';
import { services, settings, setUp } from './listService';
import { tables, type Table } from './listTables';
import { testModel } from './support/testModel';
import { useQuickWaits } from '../support/quickWaits';

/**
 * Lists as people have them, mapped as people map them, at a service on a bad day: every row becomes
 * one page with exactly its values, or a sentence.
 */

useQuickWaits();
const sandbox = useSandbox();

const lists: fc.Arbitrary<List> = fc.record({
	table: tables,
	mapping: fc.oneof({ weight: 3, arbitrary: below }, { weight: 1, arbitrary: automatic }),
	settings,
	service: services,
});

/** The table and the panel, as a person would see them. */
function shown(list: List): string {
	const verdicts = judge(list);
	const rows = itemsFor(list).map((item, row) => {
		const { outcome = '', because = '' } = verdicts[row] ?? {};
		return `  ${JSON.stringify(item)}  should be: ${outcome} (${because})`;
	});
	return [
		'Rows:',
		...rows,
		`Parameters: ${JSON.stringify(parametersFor(list))}`,
		`Settings: ${JSON.stringify(list.settings)}`,
		`Service: ${JSON.stringify(list.service)}`,
	].join('\n');
}

async function check(list: List): Promise<void> {
	const { service } = sandbox;
	await service.reset();
	setUp(service, list.service);
	checkRun(await runList(sandbox, list), list);
	if (list.settings.ifReferenceExists === 'create') return;
	const again: List = {
		...list,
		settings: { ...list.settings, onError: 'continueErrorOutput' },
		service: { ...list.service, create: null, question: null },
	};
	setUp(service, again.service);
	checkRerun(await runList(sandbox, again), list);
}

/** Invoices at a service that folds references, run with Skip. */
function invoices(
	source: Table['source'],
	before: string[],
	numbers: string[],
	cents: number[],
): List {
	const number = { role: 'number', from: '$json', as: 'dragged' } as const;
	const blank = { name: null, number: null, total: null, tax: null, paid: null, test: null };
	const total = (index: number) => ({ cents: cents[index] ?? 0, written: 'dot' as const });
	return {
		table: {
			source,
			language: 'English',
			rows: numbers.map((text, index) => ({ ...blank, number: text, total: total(index) })),
		},
		mapping: {
			mode: 'below',
			pageName: ['Invoice '],
			reference: [...before, { form: 'column', column: number }],
			amount: { form: 'column', from: '$json', as: 'dot', around: '' },
			isFixedAmount: true,
			description: null,
			isTestMode: null,
		},
		settings: {
			ifReferenceExists: 'skip',
			onError: 'continueErrorOutput',
			retryOnFail: false,
			batchSize: 0,
			maxParallelRequests: 5,
		},
		service: { foldsReferences: true, duplicateReferences: 'allow', create: null, question: null },
	};
}

const onceFailed: List[] = [
	// The second was skipped for the first, which has another amount.
	invoices('csv', [], ['inv-1', 'INV-1'], [500, 5000]),
	// A spreadsheet's error in a list of one was sent.
	invoices('airtable', ['INV-'], ['#REF!'], [500]),
];

testModel<List>('a list', {
	steps: lists,
	runs: 300,
	onceFailed,
	async run(list) {
		try {
			await check(list);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			throw new Error(`${message}\n${shown(list)}`, { cause: error });
		}
	},
});
