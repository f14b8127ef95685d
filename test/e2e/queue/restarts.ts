import { executionsOf } from '../../../scripts/queue/queueMode';
import { waitFor } from '../../../scripts/shared/waitFor';
import { payAt, type QueueBed } from '../support/queueBed';
import { addPage, paymentIds, registrations, TriggerWorkflow } from '../support/triggerWorkflow';

/** What a published workflow does while a part is away, and after it has come back. */
export function testRestarts(bed: () => QueueBed): void {
	let workflow: TriggerWorkflow;

	beforeAll(async () => {
		await bed().sandbox.reset();
		await addPage(bed().sandbox, 'page');
		workflow = await TriggerWorkflow.published(bed());
	});

	/** Each payment so far was worked on, and nothing was registered again. */
	afterEach(async () => {
		const { sandbox } = bed();
		await sandbox.deliveriesSettled();
		const paid = sandbox.state.payments.map(({ id }) => id).toSorted();
		// What n8n stored and could not answer any more, the service has sent again.
		const worked = await waitFor(
			async () => {
				const ids = new Set(paymentIds(await workflow.outputs(paid.length)));
				return ids.size === paid.length && [...ids];
			},
			{ what: 'each payment to start the workflow' },
		);
		expect(worked).toEqual(paid);
		expect(registrations(sandbox)).toHaveLength(1);
	});

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
		const { sandbox, queue } = bed();
		const [worker, other] = queue.workers;
		if (!worker || !other) throw new Error('There are two workers.');
		await worker.stop();
		const before = (await executionsOf(other)).length;
		for (let count = 0; count < 3; count++) expect(await payAt(sandbox, 'page')).toBe(200);
		await waitFor(async () => (await executionsOf(other)).length === before + 3, {
			what: 'the other worker to run all',
		});
		await worker.restart();
	});

	test('of the main process interrupts no event', async () => {
		const { sandbox, queue } = bed();
		await queue.main.stop();
		const before = (await Promise.all(queue.workers.map(executionsOf))).flat().length;
		for (let count = 0; count < 4; count++) expect(await payAt(sandbox, 'page')).toBe(200);
		await waitFor(
			async () => (await Promise.all(queue.workers.map(executionsOf))).flat().length === before + 4,
			{ what: 'the workers to run the events while the main process is away' },
		);
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
		});
	});

	test('of Redis loses no event that the service repeats', async () => {
		const { sandbox, queue } = bed();
		await queue.redis.restart();
		await sandbox.pay('page');
	});

	test('of the proxy changes nothing', async () => {
		const { sandbox, queue } = bed();
		await queue.proxy.restart();
		expect(await payAt(sandbox, 'page')).toBe(200);
	});
}
