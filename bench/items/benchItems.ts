import { rm } from 'node:fs/promises';
import type { Options } from '../shared/options';
import { type Bench, withBench } from '../shared/bench';
import { printGoals } from '../shared/goal';
import { inRounds } from '../shared/rounds';
import { median, medianRatio } from '../shared/statistics';
import { printTable, twoDigits } from '../shared/table';
import { benchLatency } from './benchLatency';
import { benchMemory } from './benchMemory';
import { buildComparisonNodes } from './comparisonNodes/buildComparisonNodes';
import { type Contestant, createContestants, storeWorkflow } from './contestants';
import { type Run, runItems } from './runItems';

const itemsToWarmUp = 50;

type Contestants = Awaited<ReturnType<typeof createContestants>>;

async function benchSpeed(
	bench: Bench,
	all: Contestants,
	{ rounds, items }: Options,
): Promise<void> {
	console.log(`Items, the sandbox answers at once, ${rounds} rounds of ${items} items\n`);
	const contestants: Contestant[] = Object.values(all);
	const workflowIds = new Map<Contestant, string>();
	for (const contestant of contestants) {
		await runItems(bench, await storeWorkflow(bench, contestant, itemsToWarmUp), itemsToWarmUp);
		workflowIds.set(contestant, await storeWorkflow(bench, contestant, items));
	}
	const runs = await inRounds(contestants, rounds, (contestant) =>
		runItems(bench, workflowIds.get(contestant) ?? '', items),
	);

	const values = (contestant: Contestant, figure: keyof Run) =>
		(runs.get(contestant) ?? []).map((run) => (run[figure] * 1000) / items);
	const ratio = (one: Contestant, other: Contestant) =>
		medianRatio(values(one, 'milliseconds'), values(other, 'milliseconds'));
	printTable(
		['', 'ms per 1,000', 'CPU ms per 1,000', 'of HTTP Request, JSON'],
		contestants.map((each) => [
			each.name,
			Math.round(median(values(each, 'milliseconds'))),
			Math.round(median(values(each, 'processorMilliseconds'))),
			twoDigits(ratio(each, all.httpJson)),
		]),
	);
	printGoals([
		{
			what: 'map automatically, of HTTP Request with one JSON expression',
			measured: ratio(all.automatic, all.httpJson),
			atMost: 1,
		},
		{
			what: '4 expressions, of a plain declarative node',
			measured: ratio(all.ours4, all.plain4),
			atMost: 0.8,
		},
		{
			what: '13 expressions, of a plain declarative node',
			measured: ratio(all.ours13, all.plain13),
			atMost: 0.8,
		},
		{
			what: '4 expressions, of HTTP Request: as near as the engine allows',
			measured: ratio(all.ours4, all.http4),
			atMost: 1,
		},
		{
			what: '13 expressions, of HTTP Request: as near as the engine allows',
			measured: ratio(all.ours13, all.http13),
			atMost: 1,
		},
	]);
}

/** Items that become pages: the node against n8n's HTTP Request node and a plain declarative node. */
export async function benchItems(options: Options): Promise<void> {
	const extensions = await buildComparisonNodes();
	try {
		await withBench({ N8N_CUSTOM_EXTENSIONS: extensions }, async (bench) => {
			const all = await createContestants(bench);
			await benchSpeed(bench, all, options);
			await benchLatency(bench, all, options);
			await benchMemory(bench, all.automatic, all.onlySends, [all.httpJson, all.plainFixed]);
		});
	} finally {
		await rm(extensions, { recursive: true });
	}
}
