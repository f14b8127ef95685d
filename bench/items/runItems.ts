import { type Execution, failureOf, runItems as outputOf } from '../../scripts/localN8n/execution';
import type { Bench } from '../shared/bench';
import { measuredNode } from './contestants';

const wait = {
	timeoutMilliseconds: 10 * 60_000,
	// Each look costs the n8n that is measured, and the run's own time is n8n's to tell.
	intervalMilliseconds: 1_000,
};

/** What one run of a contestant's node took. */
export interface Run {
	/** From the node's start to its end, as n8n measures it. */
	milliseconds: number;
	/** Processor time of n8n for the whole execution. */
	processorMilliseconds: number;
}

/** Runs a stored workflow, which must succeed. */
export async function runOnce(
	{ client, meter }: Bench,
	workflowId: string,
): Promise<{ execution: Execution; run: Run }> {
	const startedAt = await meter.processorMilliseconds();
	const execution = await client.run(workflowId, 'Manual Trigger', wait);
	const processorMilliseconds = (await meter.processorMilliseconds()) - startedAt;
	if (execution.status !== 'success') throw new Error(failureOf(execution));
	const milliseconds = execution.data.resultData.runData[measuredNode]?.[0]?.executionTime ?? NaN;
	return { execution, run: { milliseconds, processorMilliseconds } };
}

/** Runs it on an empty sandbox, and checks that each item became a page and left the node again. */
export async function runItems(bench: Bench, workflowId: string, items: number): Promise<Run> {
	const { state } = bench.sandbox;
	state.pages.clear();
	state.requests.length = 0;
	const { execution, run } = await runOnce(bench, workflowId);
	const output = outputOf(execution, measuredNode).length;
	if (state.pages.size !== items || output !== items) {
		throw new Error(`${items} items gave ${state.pages.size} pages and ${output} items of output.`);
	}
	return run;
}
