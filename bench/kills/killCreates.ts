import { type QueueBed, withQueueMode } from '../flood/beds';
import { createContestants, storeWorkflow } from '../items/contestants';
import type { Options } from '../shared/options';
import { executionsOf } from '../../scripts/queue/workerLog';
import { waitFor } from '../../scripts/shared/waitFor';
import { drawn } from './killPlan';

/** So many times the items of the other parts, as in the soak. */
const times = 5;

const kills = 5;

const patience = { timeoutMilliseconds: 20 * 60_000, intervalMilliseconds: 50 };

/** The worker that began an execution, as the logs of the workers tell. */
async function workerOf({ queue }: QueueBed, executionId: string) {
	return waitFor(
		async () => {
			for (const worker of queue.workers) {
				if ((await executionsOf(worker)).includes(executionId)) return worker;
			}
			return undefined;
		},
		{ what: `a worker to begin execution ${executionId}`, timeoutMilliseconds: 120_000 },
	);
}

async function start({ client }: QueueBed, workflowId: string): Promise<string> {
	const executionId = await client.startRun(workflowId, 'Manual Trigger');
	if (executionId === undefined) throw new Error('The run did not start.');
	return executionId;
}

/** Fails unless each row became exactly one page; the rows have as many references. */
function expectEachPageOnce({ sandbox }: QueueBed, pages: number): void {
	const found = [...sandbox.state.pages.values()].map((page) => page.paymentPageLinkReference);
	const references = new Set(found).size;
	console.log(`  ${found.length} pages with ${references} references for ${pages} rows\n`);
	if (found.length !== pages || references !== pages) throw new Error('Not each row has one page.');
}

async function measure(bed: QueueBed, pages: number, seed: number): Promise<void> {
	const { sandbox, client } = bed;
	const { automatic } = await createContestants(bed);
	const options = { ifReferenceExists: 'skip' };
	const parameters = { ...automatic.node.parameters, options };
	const contestant = { ...automatic, node: { ...automatic.node, parameters } };
	const workflowId = await storeWorkflow(bed, contestant, pages);
	const moments = Array.from({ length: kills }, (_, kill) =>
		Math.floor(drawn(seed, `create ${kill}`) * pages),
	).sort((one, other) => one - other);
	for (const moment of moments) {
		const executionId = await start(bed, workflowId);
		const worker = await workerOf(bed, executionId);
		await waitFor(() => sandbox.state.pages.size > moment, {
			what: `more than ${moment} pages`,
			...patience,
		});
		await worker.kill();
		console.log(`  worker killed at ${sandbox.state.pages.size} pages`);
		await worker.restart();
	}
	const last = await start(bed, workflowId);
	const { status } = await client.waitForExecution(workflowId, last, patience);
	console.log(`  the last run ended as ${status}`);
	expectEachPageOnce(bed, pages);
}

/** A create run whose worker is killed again and again: no page twice, none missing. */
export async function killCreates({ items, seed }: Options): Promise<void> {
	const pages = times * items;
	console.log(`Kills, a create run of ${pages} rows, --seed ${seed}\n`);
	await withQueueMode({}, (bed) => measure(bed, pages, seed));
}
