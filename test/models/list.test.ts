import fc from 'fast-check';

import { useSandbox } from '../engine/sandbox';
import { automatic } from './listColumns';
import { below } from './listMappings';
import { judge, type List } from './listOracle';
import { checkRerun, checkRun } from './listRules';
import { itemsFor, parametersFor, runList } from './listRun';
import { services, settings, setUp } from './listService';
import { tables } from './listTables';
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

testModel<List>('a list', {
	steps: lists,
	runs: 1000,
	onceFailed: [],
	async run(list) {
		try {
			await check(list);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			throw new Error(`${message}\n${shown(list)}`, { cause: error });
		}
	},
});
