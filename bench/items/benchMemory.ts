import type { Bench } from '../shared/bench';
import { goalTable, table } from '../shared/markdown';
import { peakDuring } from '../shared/peak';
import type { Report } from '../shared/report';
import { rounded } from '../shared/statistics';
import { type Contestant, storeWorkflow } from './contestants';
import { runItems } from './runItems';

const few = 1_000;
const many = 5_000;

/** Kilobytes by which the peak grows with each item, from a run with few items to one with many. */
async function growth(bench: Bench, contestant: Contestant): Promise<number> {
	const peaks: number[] = [];
	for (const items of [few, many]) {
		const workflowId = await storeWorkflow(bench, contestant, items);
		const before = await bench.meter.liveHeapBytes();
		const { peak } = await peakDuring(bench.meter, runItems(bench, workflowId, items));
		peaks.push(peak - before);
	}
	const [withFew = NaN, withMany = NaN] = peaks;
	return (withMany - withFew) / (many - few) / 1024;
}

/**
 * Memory for each item: n8n's live heap at its peak, so what a garbage collection could not free, in
 * n8n's main process alone.
 *
 * @param ours the contestant that is judged
 * @param onlySends what n8n itself needs for the items
 * @param peers shown beside it
 */
export async function benchMemory(
	bench: Bench,
	report: Report,
	ours: Contestant,
	onlySends: Contestant,
	peers: readonly Contestant[],
): Promise<void> {
	await report.add(
		'### Memory',
		`How much the peak of the live heap grows from ${few} to ${many} items.`,
	);
	const measured = new Map<Contestant, number>();
	for (const each of [...peers, onlySends, ours]) {
		measured.set(each, await growth(bench, each));
	}
	const of = (contestant: Contestant) => measured.get(contestant) ?? NaN;
	await report.add(
		table(
			['', 'KB per item'],
			[...measured].map(([{ name }, kilobytes]) => [name, rounded(kilobytes, 1)]),
		),
		goalTable([
			{
				what: 'KB per item more than a declarative node that only sends',
				measured: of(ours) - of(onlySends),
				atMost: 4,
			},
		]),
	);
}
