import { waitFor } from '../../../scripts/shared/waitFor';
import { paidIds, payAt, paymentIds, registrations } from '../../support/service';
import type { QueueBed } from '../support/bed';
import { TriggerWorkflow } from '../support/triggerWorkflow';

/** What one process learns and another has to know. */
export function testSharing(bed: () => QueueBed): void {
	test('shows one of many events to a test on main, while production takes all on the processors', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		await workflow.listen();
		const isNoted = async () =>
			JSON.stringify(await workflow.staticData()).includes('testListensUntil');
		await waitFor(isNoted, { what: 'the listening test to be noted for all processes' });
		await Promise.all(Array.from({ length: 20 }, () => payAt(sandbox, 'page')));
		const paid = paidIds(sandbox);
		expect(paymentIds(await workflow.outputs(20))).toEqual(paid);
		expect(paid).toEqual(expect.arrayContaining(paymentIds(await workflow.outputs(1, 'manual'))));
		for (const process of queue.processors) expect(await payAt(sandbox, 'page', process)).toBe(200);
		await workflow.outputs(22);
		expect(await workflow.count('manual')).toBe(1);
		expect(registrations(sandbox)).toHaveLength(1);
		await workflow.unpublish();
	});

	test('accepts nothing weaker in any process once one of them has seen a signature', async () => {
		const { sandbox, queue } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		const [first, second] = queue.processors;
		expect(await payAt(sandbox, 'page', first)).toBe(200);
		// What was learned is written with the end of the execution.
		await workflow.outputs(1);
		sandbox.configure({ signing: { mode: 'none' } });
		for (const process of [second, queue.main, first]) {
			expect(await payAt(sandbox, 'page', process)).toBe(401);
		}
		await second?.restart();
		expect(await payAt(sandbox, 'page', second)).toBe(401);
		sandbox.configure({ signing: { mode: 'hmac' } });
		expect(await payAt(sandbox, 'page', second)).toBe(200);
		await workflow.outputs(2);
		await workflow.unpublish();
	});
}
