import { rm } from 'node:fs/promises';
import { buildComparisonNodes } from '../items/comparisonNodes/buildComparisonNodes';
import { type Contestant, createContestants, storeWorkflow } from '../items/contestants';
import { runItems } from '../items/runItems';
import { withBench } from '../shared/bench';
import { table } from '../shared/markdown';
import type { Options } from '../shared/options';
import { peakDuring } from '../shared/peak';
import type { Report } from '../shared/report';
import { rounded } from '../shared/statistics';

type Name = keyof Awaited<ReturnType<typeof createContestants>>;

const names: Name[] = ['httpJson', 'onlySends', 'automatic'];

interface ListRun {
	contestant: Contestant;
	seconds: number;
	/** Processor time of n8n for the whole execution, in seconds. */
	processorSeconds: number;
	/** The most that n8n's heap held, after a garbage collection, beyond what it held before; in bytes. */
	heap: number;
	/** The most memory that n8n's main process had, in bytes. */
	peak: number;
}

/** Runs the list once, on a new n8n, whose peak of memory is this run's then. */
async function runList(name: Name, rows: number, extensions: string): Promise<ListRun> {
	return withBench({ N8N_CUSTOM_EXTENSIONS: extensions }, async (bench) => {
		const contestant: Contestant = (await createContestants(bench))[name];
		const workflowId = await storeWorkflow(bench, contestant, rows);
		const before = await bench.meter.liveHeapBytes();
		const { result, peak } = await peakDuring(bench.meter, runItems(bench, workflowId, rows));
		return {
			contestant,
			seconds: result.milliseconds / 1000,
			processorSeconds: result.processorMilliseconds / 1000,
			heap: peak - before,
			peak: await bench.meter.peakBytes(),
		};
	});
}

/** One long list of rows through the node, against what one would take instead. */
export async function benchList({ rows }: Options, report: Report): Promise<void> {
	await report.add(
		`${rows} rows with 13 columns from a Code node become ${rows} pages in one run, at a service that answers at once. Each node has a new n8n of its own.`,
	);
	const extensions = await buildComparisonNodes();
	try {
		const runs: ListRun[] = [];
		for (const name of names) runs.push(await runList(name, rows, extensions));
		const megabytes = (bytes: number) => rounded(bytes / 1024 ** 2);
		await report.add(
			table(
				['', 's', 'CPU s', 'live heap of the run, MB', 'peak of n8n, MB'],
				runs.map(({ contestant, seconds, processorSeconds, heap, peak }) => [
					contestant.name,
					rounded(seconds, 1),
					rounded(processorSeconds, 1),
					megabytes(heap),
					megabytes(peak),
				]),
			),
		);
	} finally {
		await rm(extensions, { recursive: true });
	}
}
