import { DeduplicatedWorkflow } from './support/deduplicatedWorkflow';
import { owner } from './support/preparedFolder';
import { send } from './support/request';
import { useTestBed } from './support/testBed';
import { addPage, registeredUrl } from './support/triggerWorkflow';

/** What docs/trigger.md shows for work that can't be repeated: n8n's Remove Duplicates. */
const bed = useTestBed();

jest.setTimeout(180_000);

let events: DeduplicatedWorkflow;
/** Executions so far, and the payments that were worked on. */
let executions = 0;
const worked: unknown[] = [];

beforeAll(async () => {
	await addPage(bed().sandbox, 'page');
	events = await DeduplicatedWorkflow.published(bed());
}, 60_000);

async function pay() {
	const { payment, deliveries } = await bed().sandbox.pay('page');
	executions++;
	await events.ended();
	return { id: payment.id, delivery: deliveries[0]?.id ?? '' };
}

async function again(delivery: string): Promise<void> {
	const { tries } = await bed().sandbox.resend(delivery);
	expect(tries.at(-1)?.status).toBe(200);
	executions++;
	await events.ended();
}

test('an event without an ID is worked on each time', async () => {
	bed().sandbox.configure({ signing: { mode: 'none' } });
	for (let count = 0; count < 2; count++) {
		const headers = { 'content-type': 'application/json' };
		const body = '{"event":"other"}';
		expect((await send(registeredUrl(bed().sandbox), { headers, body })).status).toBe(200);
		executions++;
		await events.ended();
		worked.push('no ID');
	}
	bed().sandbox.configure({ signing: { mode: 'hmac' } });
	expect(await events.workedOn(executions)).toEqual(worked);
});

test('three deliveries one after the other are worked on once, also after a restart', async () => {
	const { id, delivery } = await pay();
	worked.push(id);
	await again(delivery);
	await again(delivery);
	expect(await events.workedOn(executions)).toEqual(worked);
	await bed().n8n.restart();
	await bed().client.logIn(owner);
	await again(delivery);
	expect(await events.workedOn(executions)).toEqual(worked);
	worked.push((await pay()).id);
	expect(await events.workedOn(executions)).toEqual(worked);
});

test('an event that a test has shown is still worked on by production', async () => {
	await events.listen();
	const { id, delivery } = await pay();
	worked.push(id);
	expect(await events.workedOn(1, 'manual')).toEqual([id]);
	expect(await events.workedOn(executions)).toEqual(worked);
	await again(delivery);
	expect(await events.workedOn(executions)).toEqual(worked);
});
