import { n8nVersion } from '../../scripts/localN8n/installation';
import { waitFor } from '../../scripts/shared/waitFor';
import { send } from '../support/request';
import { addPage, firstStatus, registeredUrl } from '../support/service';
import { startTimeout, useTestBed } from './support/bed';
import { deduplicated, worked } from './support/deduplicated';
import { startGate } from './support/gate';
import { older, testUnless } from './support/needs';
import { owner } from './support/preparedFolder';
import { TriggerWorkflow } from './support/triggerWorkflow';

/**
 * What n8n keeps for a published workflow when it is stopped or crashes. Only one execution runs at a
 * time: n8n stores an event and answers it when there is a place, and a service that does not wait
 * so long sends it again (fact 46).
 */
const bed = useTestBed({ environment: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } });

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

	// Without the payment's ID nobody can tell a repetition. First, for only the token proves these.
	for (let count = 0; count < 2; count++) {
		const headers = { 'content-type': 'application/json' };
		await send(registeredUrl(sandbox), { headers, body: '{"event":"other"}' });
		await expectWorked('no ID');
	}
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

testUnless(['2.0.3'], 'n8n never starts an event that waited for a place when it was stopped')(
	'an event that waits for a place is started once for each try, also after a crash while a test listens',
	async () => {
		const { sandbox, client, n8n } = bed();
		const gate = await startGate();
		const workflow = await TriggerWorkflow.published(bed(), {}, {}, [gate.node]);
		const untilStatuses = (...expected: string[]) =>
			waitFor(
				async () => {
					const executions = await client.listExecutions(workflow.id);
					return (
						executions
							.map(({ status }) => status)
							.sort()
							.join() === expected.join()
					);
				},
				{ what: `executions to be ${expected.join()}`, timeoutMilliseconds: 60_000 },
			);
		expect((await pay('hmac')).status).toBe(200);
		await gate.untilWaiting(1);
		const retry = { firstWaitMilliseconds: 100, maximumTries: 2 };
		// Long enough for a busy n8n to have read the event.
		sandbox.configure({ deliveryTimeoutMilliseconds: 5_000, retry });
		const { deliveries } = await sandbox.pay('page');
		await sandbox.deliveriesSettled();
		// An older n8n answers before it has stored the event, so that the service sends it once.
		const tries = older.includes(n8nVersion) ? [200] : [null, null];
		expect(deliveries[0]?.tries.map(({ status }) => status)).toEqual(tries);
		await untilStatuses(...tries.map(() => 'new'), 'running');

		await workflow.listen();
		await n8n.kill();
		gate.open();
		await n8n.restart();
		await client.signIn(owner);
		await untilStatuses('crashed', ...tries.map(() => 'success'));
		expect((await pay('hmac')).status).toBe(200);
		await untilStatuses('crashed', 'success', ...tries.map(() => 'success'));
		expect(await workflow.count('manual')).toBe(0);
	},
);
