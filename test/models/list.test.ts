import fc from 'fast-check';

import { useSandbox } from '../engine/sandbox';
import { automatic } from './listColumns';
import { below, type Below, type Column } from './listMappings';
import { judge, type List } from './listOracle';
import { checkRerun, checkRun } from './listRules';
import { itemsFor, parametersFor, runList } from './listRun';
import { services, settings, setUp } from './listService';
import { tables, type Money } from './listTables';
import { testModel } from './support/testModel';
import { useQuickWaits } from './support/quickWaits';

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
	checkRun(await runList(service, list), list);
	if (list.settings.ifReferenceExists === 'create') return;
	const again: List = {
		...list,
		settings: { ...list.settings, onError: 'continueErrorOutput' },
		service: { ...list.service, create: null, question: null },
	};
	setUp(service, again.service);
	checkRerun(await runList(service, again), list);
}

const number: Column = { role: 'number', from: '$json', as: 'dragged' };
const blank = { name: null, number: null, total: null, tax: null, paid: null, test: null };
const total = (cents: number): Money => ({ cents, written: 'dot' });

const plain: Omit<List, 'table'> = {
	mapping: {
		mode: 'below',
		pageName: ['Invoice '],
		reference: [{ form: 'column', column: number }],
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

const onceFailed: List[] = [
	{
		// The second was skipped for the first, which has another amount.
		...plain,
		table: {
			source: 'csv',
			language: 'English',
			rows: [
				{ ...blank, number: 'inv-1', total: total(500) },
				{ ...blank, number: 'INV-1', total: total(5000) },
			],
		},
	},
	{
		// A spreadsheet's error in a list of one was sent.
		...plain,
		mapping: { ...plain.mapping, reference: ['INV-', { form: 'column', column: number }] } as Below,
		table: {
			source: 'airtable',
			language: 'English',
			rows: [{ ...blank, number: '#REF!', total: total(500) }],
		},
	},
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
