import { waitFor } from '../../../scripts/shared/waitFor';
import { payAt, type QueueBed } from '../support/queueBed';
import { addPage, paymentIds, registrations, TriggerWorkflow } from '../support/triggerWorkflow';

/** What one process learns and another has to know. */
export function testSharing(bed: () => QueueBed): void {
	beforeEach(async () => {
		await bed().sandbox.reset();
		await addPage(bed().sandbox, 'page');
	});

	test('shows one of many events to a test on main, while production takes all on the processors', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		await workflow.listen();
		await waitFor(
			async () => JSON.stringify(await workflow.staticData()).includes('testListensUntil'),
			{
				what: 'the listening test to be noted for all processes',
			},
		);
		await Promise.all(Array.from({ length: 20 }, () => payAt(sandbox, 'page')));
		const paid = sandbox.state.payments.map(({ id }) => id).toSorted();
		expect(paymentIds(await workflow.outputs(20))).toEqual(paid);
		const [shown] = await workflow.outputs(1, 'manual');
		expect(paid).toContain(paymentIds([shown ?? {}])[0]);
		for (const process of queue.processors) expect(await payAt(sandbox, 'page', process)).toBe(200);
		await workflow.outputs(22);
		expect(await workflow.count('manual')).toBe(1);
		expect(registrations(sandbox)).toHaveLength(1);
		await workflow.unpublish();
	});

	test('rejects a test of a workflow that is not published, and takes nothing away', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		const draft = await TriggerWorkflow.save(bed());
		await queue.main.restart();
		await expect(draft.listen()).rejects.toThrow(/Publish this workflow first/);
		for (const process of queue.processors) expect(await payAt(sandbox, 'page', process)).toBe(200);
		await workflow.outputs(2);
		expect(registrations(sandbox)).toHaveLength(1);
		await workflow.unpublish();
	});

	test('accepts nothing weaker in any process once one of them has seen a signature', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		const [first, second] = queue.processors;
		expect(await payAt(sandbox, 'page', first)).toBe(200);
		await workflow.outputs(1);
		sandbox.configure({ signing: { mode: 'none' } });
		for (const process of [second, queue.main, first]) {
			expect(await payAt(sandbox, 'page', process)).toBe(401);
		}
		await second?.restart();
		expect(await payAt(sandbox, 'page', second)).toBe(401);
		sandbox.configure({ signing: { mode: 'hmac' } });
		expect(await payAt(sandbox, 'page', second)).toBe(200);
		expect(await workflow.outputs(2)).toMatchObject([{ verified: true }, { verified: true }]);
		await workflow.unpublish();
	});
}
