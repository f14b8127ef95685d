import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../shared/bench';
import { printGoals } from '../shared/goal';
import { oneDigit, printTable } from '../shared/table';
import { type Contestant, storeWorkflow } from './contestants';
import { runItems } from './runItems';

const few = 1_000;
const many = 5_000;

/** So that the garbage collections of the samples take a small part of the time. */
const pauseForEachMillisecond = 5;

/** The most that n8n's heap held, in bytes after a garbage collection, while `work` was going on. */
async function peakDuring({ meter }: Bench, work: Promise<unknown>): Promise<number> {
	const ended = work.then(() => true);
	let peak = 0;
	let pause = 0;
	while (!(await Promise.race([ended, sleep(pause, false)]))) {
		const startedAt = Date.now();
		peak = Math.max(peak, await meter.liveHeapBytes());
		pause = (Date.now() - startedAt) * pauseForEachMillisecond;
	}
	return peak;
}

/** Kilobytes by which the peak grows with each item, from a run with few items to one with many. */
async function growth(bench: Bench, contestant: Contestant): Promise<number> {
	const peaks: number[] = [];
	for (const items of [few, many]) {
		const workflowId = await storeWorkflow(bench, contestant, items);
		const before = await bench.meter.liveHeapBytes();
		const peak = await peakDuring(bench, runItems(bench, workflowId, items));
		peaks.push(peak - before);
	}
	const [withFew = NaN, withMany = NaN] = peaks;
	return (withMany - withFew) / (many - few) / 1024;
}

/**
 * Memory for each item: n8n's live heap at its peak, so what a garbage collection could not free, in
 * n8n's main process alone.
 *
 * @param ours the contestant that is judged, beside `peers`
 */
export async function benchMemory(
	bench: Bench,
	ours: Contestant,
	peers: { httpRequest: Contestant; plain: Contestant },
): Promise<void> {
	console.log(`Memory, growth of the peak live heap from ${few} to ${many} items\n`);
	const ofOurs = await growth(bench, ours);
	const ofHttpRequest = await growth(bench, peers.httpRequest);
	const ofPlain = await growth(bench, peers.plain);
	printTable(
		['', 'KB per item'],
		[
			[peers.httpRequest.name, oneDigit(ofHttpRequest)],
			[peers.plain.name, oneDigit(ofPlain)],
			[ours.name, oneDigit(ofOurs)],
		],
	);
	printGoals([
		{
			what: 'KB per item more than the HTTP Request node',
			measured: ofOurs - ofHttpRequest,
			atMost: 4,
		},
	]);
}
