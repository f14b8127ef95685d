import { rm } from 'node:fs/promises';
import { failureOf, runItems as outputOf } from '../../scripts/localN8n/execution';
import { goalTable, inRounds, median, medianRatio, rounded, show, table } from '../shared/figures';
import type { Options } from '../shared/options';
import { processorTime, type Rig, withRegularMode } from '../shared/rig';
import {
	buildComparisonNodes,
	type Contestant,
	createContestants,
	measuredNode,
	storeWorkflow,
} from './contestants';

type Contestants = Awaited<ReturnType<typeof createContestants>>;

const itemsToWarmUp = 50;

// Each look costs the n8n that is measured, and the run's own time is n8n's to tell.
const wait = { timeoutMilliseconds: 10 * 60_000, intervalMilliseconds: 1_000 };

/** What one run of a contestant's node took. */
interface Run {
	milliseconds: number; // from the node's start to its end, as n8n measures it
	processorMilliseconds: number; // processor time of n8n for the whole execution
}

/** Runs a stored workflow on an empty sandbox; each item must become a page and leave the node. */
async function run(rig: Rig, workflowId: string, items: number): Promise<Run> {
	const { client, sandbox } = rig;
	const { state } = sandbox;
	state.pages.clear();
	state.requests.length = 0;
	const startedAt = await processorTime(rig);
	const execution = await client.run(workflowId, 'Manual Trigger', wait);
	const used = (await processorTime(rig)) - startedAt;
	if (execution.status !== 'success') throw new Error(failureOf(execution));
	const output = outputOf(execution, measuredNode).length;
	if (state.pages.size !== items || output !== items) {
		throw new Error(`${items} items gave ${state.pages.size} pages and ${output} items of output.`);
	}
	const milliseconds = execution.data.resultData.runData[measuredNode]?.[0]?.executionTime ?? NaN;
	return { milliseconds, processorMilliseconds: used };
}

/** Lets each contestant run once in each round. */
async function runs(
	rig: Rig,
	contestants: Contestant[],
	{ rounds, items }: Options,
): Promise<(contestant: Contestant, figure: keyof Run) => number[]> {
	const workflowIds = new Map<Contestant, string>();
	for (const each of contestants) {
		await run(rig, await storeWorkflow(rig, each, itemsToWarmUp), itemsToWarmUp);
		workflowIds.set(each, await storeWorkflow(rig, each, items));
	}
	const results = await inRounds(contestants, rounds, (each) =>
		run(rig, workflowIds.get(each) ?? '', items),
	);
	return (contestant, figure) => (results.get(contestant) ?? []).map((each) => each[figure]);
}

async function benchSpeed(rig: Rig, all: Contestants, options: Options): Promise<void> {
	const { rounds, items } = options;
	show(`The sandbox answers at once, ${rounds} rounds of ${items} items.`);
	const contestants: Contestant[] = Object.values(all);
	const values = await runs(rig, contestants, options);
	const ratio = (one: Contestant, other: Contestant) =>
		medianRatio(values(one, 'milliseconds'), values(other, 'milliseconds'));
	const perThousand = (contestant: Contestant, figure: keyof Run) =>
		rounded((median(values(contestant, figure)) * 1000) / items);
	const goals: Array<[string, Contestant, Contestant, number]> = [
		[
			'map automatically, of HTTP Request with one JSON expression',
			all.automatic,
			all.httpJson,
			0.55,
		],
		['4 expressions, of a plain declarative node', all.ours4, all.plain4, 0.8],
		['13 expressions, of a plain declarative node', all.ours13, all.plain13, 0.8],
		['4 expressions, of HTTP Request: as near as the engine allows', all.ours4, all.http4, 1],
		['13 expressions, of HTTP Request: as near as the engine allows', all.ours13, all.http13, 1],
	];
	show(
		table(
			['', 'ms per 1,000', 'CPU ms per 1,000', 'of HTTP Request, JSON'],
			contestants.map((each) => [
				each.name,
				perThousand(each, 'milliseconds'),
				perThousand(each, 'processorMilliseconds'),
				rounded(ratio(each, all.httpJson), 2),
			]),
		),
		goalTable(
			goals.map(([what, one, other, atMost]) => ({ what, measured: ratio(one, other), atMost })),
		),
	);
}

/** Items that become pages: the node against n8n's HTTP Request node and a plain declarative node. */
export async function benchItems(options: Options): Promise<void> {
	const extensions = await buildComparisonNodes();
	try {
		await withRegularMode({ N8N_CUSTOM_EXTENSIONS: extensions }, async (rig) =>
			benchSpeed(rig, await createContestants(rig), options),
		);
	} finally {
		await rm(extensions, { recursive: true });
	}
}
