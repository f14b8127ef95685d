import type { Bench } from '../shared/bench';
import { printGoals } from '../shared/goal';
import { type Contestant, storeWorkflow } from './contestants';
import { runItems } from './runItems';

const milliseconds = 200;
const inParallel = 5;
const items = 250;

/** A service that takes its time: the node should lose none between one answer and the next. */
export async function benchLatency(bench: Bench, contestant: Contestant): Promise<void> {
	bench.sandbox.configure({ faults: [{ endpoint: 'create', kind: 'latency', milliseconds }] });
	const workflowId = await storeWorkflow(bench, contestant, items);
	const run = await runItems(bench, workflowId, items);
	bench.sandbox.configure({ faults: [] });

	const ideal = (items * milliseconds) / inParallel;
	console.log(`Items, the sandbox answers after ${milliseconds} ms, ${inParallel} in parallel\n`);
	console.log(
		`  ${contestant.name}: ${items} items in ${run.milliseconds} ms; without any loss ${ideal} ms`,
	);
	printGoals([
		{ what: 'of the time without any loss', measured: run.milliseconds / ideal, atMost: 1.05 },
	]);
}
