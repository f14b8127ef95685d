import type { N8nInstance } from '../../../scripts/localN8n/instance';
import { executionsOf } from '../../../scripts/queue/queueMode';
import { waitFor } from '../../../scripts/shared/waitFor';
import { paidIds, payAt, paymentIds, registrations } from '../../support/service';
import type { QueueBed } from '../support/bed';
import { TriggerWorkflow } from '../support/triggerWorkflow';

/** What a published workflow does while a part is away, and after it has come back. */
export function testRestarts(bed: () => QueueBed): void {
	let workflow: TriggerWorkflow;

	beforeAll(async () => {
		workflow = await TriggerWorkflow.published(bed());
	});

	/** Each payment so far was worked on, and nothing was registered again. */
	afterEach(async () => {
		const { sandbox } = bed();
		await sandbox.deliveriesSettled();
		const paid = paidIds(sandbox);
		// What n8n stored and could not answer any more, the service has sent again.
		const ids = await waitFor(
			async () => {
				const found = new Set(paymentIds(await workflow.outputs(paid.length)));
				return found.size === paid.length && [...found];
			},
			{ what: 'each payment to start the workflow', timeoutMilliseconds: 60_000 },
		);
		expect(ids).toEqual(paid);
		expect(registrations(sandbox)).toHaveLength(1);
	});

	/** Pays some times, and waits until these workers tell of as many executions more. */
	async function payAndRun(times: number, workers: N8nInstance[]): Promise<void> {
		const ran = async () => (await Promise.all(workers.map(executionsOf))).flat().length;
		const before = await ran();
		for (let count = 0; count < times; count++) {
			expect(await payAt(bed().sandbox, 'page')).toBe(200);
		}
		// At least: a worker may tell late of one that it ran before.
		await waitFor(async () => (await ran()) >= before + times, { what: 'the workers to run all' });
	}

	test('of a webhook processor leaves the events to the other one', async () => {
		const { sandbox, queue } = bed();
		const [processor, other] = queue.processors;
		await processor?.stop();
		for (let count = 0; count < 4; count++) expect(await payAt(sandbox, 'page')).toBe(200);
		await processor?.restart();
		expect(await payAt(sandbox, 'page', processor)).toBe(200);
		expect(await payAt(sandbox, 'page', other)).toBe(200);
	});

	test('of a worker leaves the executions to the other one', async () => {
		const [worker, ...others] = bed().queue.workers;
		await worker?.stop();
		await payAndRun(3, others);
		await worker?.restart();
	});

	test('of the main process interrupts no event', async () => {
		const { sandbox, queue } = bed();
		await queue.main.stop();
		await payAndRun(4, queue.workers);
		await queue.main.restart();
		expect(await payAt(sandbox, 'page', queue.main)).toBe(200);
	});

	test('of PostgreSQL loses no event that the service repeats', async () => {
		const { sandbox, queue } = bed();
		await queue.postgres.stop();
		expect(await payAt(sandbox, 'page')).not.toBe(200);
		await queue.postgres.restart();
		// n8n looks for its database once in a while, and says 503 until then.
		await waitFor(async () => await workflow.count().catch(() => undefined), {
			what: 'n8n to find its database again',
			timeoutMilliseconds: 60_000,
		});
	});

	test('of Redis and the proxy loses no event that the service repeats', async () => {
		const { sandbox, queue } = bed();
		await queue.redis.restart();
		await sandbox.pay('page');
		await queue.proxy.restart();
		await sandbox.pay('page');
	});
}
