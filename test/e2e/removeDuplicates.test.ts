import { send } from '../support/request';
import { addPage, firstStatus, registeredUrl } from '../support/service';
import { useTestBed } from './support/bed';
import { deduplicated, worked } from './support/deduplicated';
import { TriggerWorkflow } from './support/triggerWorkflow';

/** What docs/trigger.md shows for work that can't be repeated: n8n's Remove Duplicates. */
const bed = useTestBed();

jest.setTimeout(180_000);

test('works on an event once, also after a restart and after a test has shown it', async () => {
	const { sandbox, n8n } = bed();
	await addPage(sandbox, 'page');
	const workflow = await TriggerWorkflow.published(bed(), {}, {}, deduplicated());
	const expected: unknown[] = [];
	let executions = 0;
	/** Two at the same moment can both pass, so each is waited for. */
	const expectWorked = async () => {
		expect(await worked(workflow, ++executions)).toEqual(expected);
	};
	const pay = async () => {
		const { payment, deliveries } = await sandbox.pay('page');
		expected.push(payment.id);
		await expectWorked();
		return deliveries[0]?.id ?? '';
	};
	const again = async (delivery: string) => {
		expect(firstStatus(await sandbox.resend(delivery))).toBe(200);
		await expectWorked();
	};

	// Without the payment's ID nobody can tell a repetition. First, for only the token proves these.
	for (let count = 0; count < 2; count++) {
		const headers = { 'content-type': 'application/json' };
		await send(registeredUrl(sandbox), { headers, body: '{"event":"other"}' });
		expected.push('no ID');
		await expectWorked();
	}

	const delivery = await pay();
	await again(delivery);
	await n8n.restart();
	await again(delivery);
	await pay();

	await workflow.listen();
	const shown = await pay();
	expect(await worked(workflow, 1, 'manual')).toEqual(expected.slice(-1));
	await again(shown);
});
