import { rm } from 'node:fs/promises';
import { type Bench, withBench } from '../shared/bench';
import { goalTable, table } from '../shared/markdown';
import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
import { inRounds } from '../shared/rounds';
import { median, medianRatio, rounded } from '../shared/statistics';
import { benchLatency } from './benchLatency';
import { benchMemory } from './benchMemory';
import { buildComparisonNodes } from './comparisonNodes/buildComparisonNodes';
import { type Contestant, createContestants, storeWorkflow } from './contestants';
import { type Run, runItems } from './runItems';

const itemsToWarmUp = 50;

type Contestants = Awaited<ReturnType<typeof createContestants>>;

async function benchSpeed(
	bench: Bench,
	report: Report,
	all: Contestants,
	{ rounds, items }: Options,
): Promise<void> {
	await report.add('### Speed', `The sandbox answers at once, ${rounds} rounds of ${items} items.`);
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
	await report.add(
		table(
			['', 'ms per 1,000', 'CPU ms per 1,000', 'of HTTP Request, JSON'],
			contestants.map((each) => [
				each.name,
				rounded(median(values(each, 'milliseconds'))),
				rounded(median(values(each, 'processorMilliseconds'))),
				rounded(ratio(each, all.httpJson), 2),
			]),
		),
		goalTable([
			{
				what: 'map automatically, of HTTP Request with one JSON expression',
				measured: ratio(all.automatic, all.httpJson),
				atMost: 0.6,
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
		]),
	);
}

/** Items that become pages: the node against n8n's HTTP Request node and a plain declarative node. */
export async function benchItems(options: Options, report: Report): Promise<void> {
	const extensions = await buildComparisonNodes();
	try {
		await withBench({ N8N_CUSTOM_EXTENSIONS: extensions }, async (bench) => {
			const all = await createContestants(bench);
			await benchSpeed(bench, report, all, options);
			await benchLatency(bench, report, all, options);
			await benchMemory(bench, report, all.automatic, all.onlySends, [
				all.httpJson,
				all.plainFixed,
			]);
		});
	} finally {
		await rm(extensions, { recursive: true });
	}
}
