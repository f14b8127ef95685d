import { addPage, firstStatus } from '../support/service';
import { startTimeout, useTestBed } from './support/bed';
import { deduplicated, worked } from './support/deduplicated';
import { TriggerWorkflow } from './support/triggerWorkflow';

/** What n8n keeps for a published workflow when it is restarted. */
const bed = useTestBed();

jest.setTimeout(startTimeout);

beforeEach(async () => {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
});

async function pay(mode: 'hmac' | 'none') {
	const { sandbox } = bed();
	const retry = { maximumTries: 1 };
	sandbox.configure({ signing: { mode }, retry, deliveryTimeoutMilliseconds: 60_000 });
	const { payment, deliveries } = await sandbox.pay('page');
	return { id: payment.id, delivery: deliveries[0]?.id ?? '', status: firstStatus(deliveries[0]) };
}

test('after a restart, accepts nothing weaker and works on no event twice', async () => {
	const { sandbox, n8n } = bed();
	const workflow = await TriggerWorkflow.published(bed(), {}, {}, deduplicated());
	const expected: unknown[] = [];
	let executions = 0;
	/** Two at the same moment can both pass, so each is waited for. */
	const expectWorked = async (...ids: unknown[]) => {
		expected.push(...ids);
		expect(await worked(workflow, ++executions)).toEqual(expected);
	};
	const expectPaid = async (mode: 'hmac' | 'none') => {
		const { id, delivery, status } = await pay(mode);
		expect(status).toBe(200);
		await expectWorked(id);
		return delivery;
	};
	const expectRepeated = async (delivery: string) => {
		expect(firstStatus(await sandbox.resend(delivery))).toBe(200);
		await expectWorked();
	};

	await expectPaid('none');
	const delivery = await expectPaid('hmac');
	await n8n.restart();
	expect((await pay('none')).status).toBe(401);
	sandbox.configure({ signing: { mode: 'hmac' } });
	await expectRepeated(delivery);

	// What a test has shown is worked on all the same, once.
	await workflow.listen();
	const shown = await expectPaid('hmac');
	expect(await worked(workflow, 1, 'manual')).toEqual(expected.slice(-1));
	await expectRepeated(shown);
	await workflow.unpublish();
});
