import { type QueueBed, withQueueMode } from '../flood/beds';
import { createContestants, storeWorkflow } from '../items/contestants';
import type { Options } from '../shared/options';
import type { Report } from '../shared/report';
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
async function expectEachPageOnce(
	{ sandbox }: QueueBed,
	report: Report,
	pages: number,
): Promise<void> {
	const found = [...sandbox.state.pages.values()].map((page) => page.paymentPageLinkReference);
	const references = new Set(found).size;
	await report.add(`${found.length} pages with ${references} references for ${pages} rows.`);
	if (found.length !== pages || references !== pages) throw new Error('Not each row has one page.');
}

async function measure(bed: QueueBed, report: Report, pages: number, seed: number): Promise<void> {
	const { sandbox, client } = bed;
	const { automatic } = await createContestants(bed);
	const parameters = { ...automatic.node.parameters, ifReferenceExists: 'skip' };
	const contestant = { ...automatic, node: { ...automatic.node, parameters } };
	const workflowId = await storeWorkflow(bed, contestant, pages);
	const moments = Array.from({ length: kills }, (_, kill) =>
		Math.floor(drawn(seed, `create ${kill}`) * pages),
	).sort((one, other) => one - other);
	const killedAt: number[] = [];
	for (const moment of moments) {
		const executionId = await start(bed, workflowId);
		const worker = await workerOf(bed, executionId);
		await waitFor(() => sandbox.state.pages.size > moment, {
			what: `more than ${moment} pages`,
			...patience,
		});
		await worker.kill();
		killedAt.push(sandbox.state.pages.size);
		console.log(`  worker killed at ${sandbox.state.pages.size} pages`);
		await worker.restart();
	}
	const last = await start(bed, workflowId);
	const { status } = await client.waitForExecution(workflowId, last, patience);
	await report.add(
		`The worker was killed when there were ${killedAt.join(', ')} pages; the last run ended as ${status}.`,
	);
	await expectEachPageOnce(bed, report, pages);
}

/** A create run whose worker is killed again and again: no page twice, none missing. */
export async function killCreates({ items, seed }: Options, report: Report): Promise<void> {
	const pages = times * items;
	await report.add(
		'### A create run',
		`${pages} rows with _If Reference Exists → Skip_ in queue mode; the worker that runs them is killed ${kills} times, and each time the run is started again. Seed ${seed}.`,
	);
	await withQueueMode({}, (bed) => measure(bed, report, pages, seed));
}
