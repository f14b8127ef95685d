import axios from 'axios';
import { waitFor } from '../../../scripts/shared/waitFor';
import { useTrigger } from './useTrigger';

const trigger = useTrigger();

const options = { ignoreRepeatedDeliveries: true };

async function published(parameters = {}) {
	const workflow = trigger.workflow({ parameters: { options, ...parameters } });
	await workflow.publish();
	return { workflow, url: trigger.registrations.at(-1)?.webhookUrl ?? '' };
}

const repeated = '{"received":true,"repeated":true}';

test.each([0, 2])('start nothing; processes beside main: %d', async (receivers) => {
	const { workflow, url } = await published();
	trigger.n8n.restart({ receivers });
	const answers = [];
	for (let count = 0; count < 4; count++) answers.push((await trigger.post(url, '{"a":1}')).text);
	expect(answers).toEqual(['{"received":true}', repeated, repeated, repeated]);
	expect(workflow.outputs()).toHaveLength(1);
});

test('start nothing at the same moment, but wait for the fate of the first', async () => {
	const { workflow, url } = await published();
	const answers = await Promise.all(
		Array.from({ length: 8 }, async () => (await trigger.post(url, '{"a":1}')).text),
	);
	expect(answers.sort()).toEqual([
		...Array.from({ length: 7 }, () => repeated),
		'{"received":true}',
	]);
	expect(workflow.outputs()).toHaveLength(1);
});

test('one of them is taken when n8n could not store the execution of the first', async () => {
	const { workflow, url } = await published();
	let failures = 1;
	trigger.n8n.beforeExecution = () => {
		if (failures-- > 0) throw new Error('The disk is full');
	};
	const statuses = await Promise.all(
		Array.from({ length: 4 }, async () => (await trigger.post(url, '{"a":1}')).status),
	);
	expect(statuses.sort()).toEqual([200, 200, 200, 500]);
	expect(workflow.outputs()).toHaveLength(1);
});

test('what n8n could not store is forgotten in every process', async () => {
	const { workflow, url } = await published();
	trigger.n8n.restart({ receivers: 2 });
	trigger.n8n.beforeExecution = () => {
		throw new Error('The disk is full');
	};
	expect((await trigger.post(url, '{"a":1}')).status).toBe(500);
	trigger.n8n.beforeExecution = () => undefined;
	for (const body of ['{"b":1}', '{"b":2}', '{"b":3}']) await trigger.post(url, body);
	expect((await trigger.post(url, '{"a":1}')).text).toBe('{"received":true}');
	expect((await trigger.post(url, '{"a":1}')).text).toBe(repeated);
	expect(workflow.outputs()).toHaveLength(4);
});

describe('when the sender is gone before n8n has stored the execution', () => {
	/** Sends an event and gives up once n8n is at it; n8n goes on when it is told how. */
	async function giveUp(url: string): Promise<(error?: Error) => void> {
		let decide: (error?: Error) => void = () => {};
		let isAtIt = false;
		trigger.n8n.beforeExecution = () =>
			new Promise<void>((resolve, reject) => {
				isAtIt = true;
				decide = (error) => (error === undefined ? resolve() : reject(error));
			});
		const sender = new AbortController();
		const sending = axios.post(url, '{"a":1}', {
			headers: { 'content-type': 'application/json' },
			signal: sender.signal,
		});
		await waitFor(() => isAtIt, { what: 'n8n to get the event' });
		sender.abort();
		await expect(sending).rejects.toThrow('canceled');
		trigger.n8n.beforeExecution = () => undefined;
		await waitFor(async () => (await trigger.post(url, '{"a":1}')).status === 503, {
			what: 'n8n to notice that the sender is gone',
		});
		return decide;
	}

	const undecided = '{"message":"The same event is still being processed. Send it again."}';

	test('no repetition is answered 200 before n8n has, and none starts anything', async () => {
		const { workflow, url } = await published();
		const decide = await giveUp(url);
		expect((await trigger.post(url, '{"a":1}')).text).toBe(undecided);
		expect(workflow.outputs()).toHaveLength(0);
		decide();
		await waitFor(() => workflow.outputs().length === 1, { what: 'the execution' });
		await waitFor(async () => (await trigger.post(url, '{"a":1}')).text === repeated, {
			what: 'the answer that it is repeated',
		});
		expect(workflow.outputs()).toHaveLength(1);
	});

	test('a repetition is taken once n8n has failed', async () => {
		const { workflow, url } = await published();
		const decide = await giveUp(url);
		decide(new Error('The disk is full'));
		await waitFor(async () => (await trigger.post(url, '{"a":1}')).status === 200, {
			what: 'the event to be taken',
		});
		expect(workflow.outputs()).toHaveLength(1);
		expect((await trigger.post(url, '{"a":1}')).text).toBe(repeated);
	});
});

test('a copy without a proof does not make the genuine event repeated', async () => {
	const { workflow, url } = await published({ unverifiedEvents: 'accept' });
	const copies = [workflow.productionUrl, workflow.productionUrl, url, url];
	const answers = [];
	for (const address of copies) answers.push((await trigger.post(address, '{"a":1}')).text);
	expect(answers).toEqual(['{"received":true}', repeated, '{"received":true}', repeated]);
	expect(workflow.outputs()).toMatchObject([{ verified: false }, { verified: true }]);
});

test('switching the option off empties the memory', async () => {
	const { workflow, url } = await published();
	await trigger.post(url, '{"a":1}');
	expect(workflow.staticData).toHaveProperty('deliveries');
	workflow.change({ parameters: {} });
	await workflow.publish();
	await trigger.post(url, '{"a":1}');
	expect(workflow.staticData).not.toHaveProperty('deliveries');
	workflow.change({ parameters: { options } });
	await workflow.publish();
	expect((await trigger.post(url, '{"a":1}')).text).toBe('{"received":true}');
	expect(workflow.outputs()).toHaveLength(3);
});
