import type { INode } from 'n8n-workflow';
import type { N8nInstance } from '../../scripts/localN8n/instance';
import { debianPackages } from '../../scripts/queue/debian';
import { waitFor } from '../../scripts/shared/waitFor';
import {
	addPage,
	deliveringTo,
	firstStatus,
	paidIds,
	payAt,
	paymentIds,
	registeredUrl,
	registrations,
} from '../support/service';
import { useQueueBed } from './support/bed';
import { deduplicated, worked } from './support/deduplicated';
import { needs } from './support/needs';
import { TriggerWorkflow } from './support/triggerWorkflow';

needs(...debianPackages);

// All tests share one bed: it takes a while to start seven programs.
const bed = useQueueBed({ sandbox: { retry: { firstWaitMilliseconds: 500, maximumTries: 8 } } });
jest.setTimeout(120_000);

let workflow: TriggerWorkflow;

async function publish(after?: INode[]): Promise<void> {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
	workflow = await TriggerWorkflow.published(bed(), {}, {}, after);
}

/** What a payment is answered, at one process of n8n if given. */
const pay = (process?: N8nInstance) => payAt(bed().sandbox, 'page', process);

/** All processes at which an event can arrive. */
const receivers = () => [...bed().queue.processors, bed().queue.main];

/** What a payment at each of them is answered. */
async function payEverywhere() {
	const statuses: unknown[] = [];
	for (const process of receivers()) statuses.push(await pay(process));
	return statuses;
}

describe('in queue mode', () => {
	beforeEach(() => publish());
	afterEach(() => workflow.unpublish());

	test('the address of the proxy is registered, and each process takes events while it is', async () => {
		const { sandbox, queue } = bed();
		expect(registeredUrl(sandbox)).toMatch(`${queue.url}/webhook/`);
		expect(await payEverywhere()).toEqual([200, 200, 200]);
		const outputs = await workflow.outputs(3);
		expect(paymentIds(outputs)).toEqual(paidIds(sandbox));
		for (const output of outputs) expect(output).toMatchObject({ verified: true });
		for (const process of receivers()) {
			const forge = () => sandbox.forge('wrongSecret', { keepToken: true });
			expect(firstStatus(await deliveringTo(sandbox, process, forge))).toBe(401);
		}
		await workflow.unpublish();
		expect(await payEverywhere()).toEqual([404, 404, 404]);
		expect(await workflow.count()).toBe(3);
		await workflow.publish();
		expect(await payEverywhere()).toEqual([200, 200, 200]);
		// What was answered 404 comes again.
		await sandbox.deliveriesSettled();
		expect(paymentIds(await workflow.outputs(9))).toEqual(paidIds(sandbox));
	});

	test('the processors get events in turn, and the main process tests', async () => {
		const { queue } = bed();
		const path = new URL(registeredUrl(bed().sandbox)).pathname;
		for (let count = 0; count < 4; count++) expect(await pay()).toBe(200);
		const atTest = path.replace('/webhook/', '/webhook-test/');
		await fetch(`${queue.url}${atTest}`, { method: 'POST' });
		const hostsOf = async (address: string) => {
			const lines = (await queue.proxy.readAccessLog()).split('\n');
			const found = lines.filter((line) => line.includes(`POST ${address}`));
			return found.map((line) => `http://${line.split(' ').at(-1) ?? ''}`);
		};
		// The last request is logged last.
		await waitFor(async () => (await hostsOf(atTest)).length > 0, { what: 'the log' });
		expect(await hostsOf(atTest)).toEqual([queue.main.url]);
		const urls = queue.processors.map(({ url }) => url);
		expect((await hostsOf(path)).sort()).toEqual([...urls, ...urls].sort());
		// The token of the address is in no log.
		expect(await queue.proxy.readAccessLog()).not.toContain('token=');
		await workflow.outputs(4);
	});

	test('with Remove Duplicates, an event is worked on once, wherever it is delivered again', async () => {
		const { sandbox } = bed();
		await workflow.unpublish();
		await publish(deduplicated());
		const { payment, deliveries } = await sandbox.pay('page');
		// Two at the same moment can both pass: docs/trigger.md says so.
		let executions = 1;
		expect(await worked(workflow, executions)).toEqual([payment.id]);
		for (const process of receivers()) {
			await deliveringTo(sandbox, process, () => sandbox.resend(deliveries[0]?.id ?? ''));
			expect(await worked(workflow, ++executions)).toEqual([payment.id]);
		}
	});

	test('a test on main shows one of many events, while production takes all on the processors', async () => {
		const { sandbox, queue } = bed();
		await workflow.listen();
		const isNoted = async () =>
			JSON.stringify(await workflow.staticData()).includes('testListensUntil');
		await waitFor(isNoted, { what: 'the listening test to be noted for all processes' });
		await Promise.all(Array.from({ length: 20 }, () => pay()));
		const paid = paidIds(sandbox);
		expect(paymentIds(await workflow.outputs(20))).toEqual(paid);
		expect(paid).toEqual(expect.arrayContaining(paymentIds(await workflow.outputs(1, 'manual'))));
		for (const process of queue.processors) expect(await pay(process)).toBe(200);
		await workflow.outputs(22);
		expect(await workflow.count('manual')).toBe(1);
		expect(registrations(sandbox)).toHaveLength(1);
	});

	test('nothing weaker is accepted in any process once one of them has seen a signature', async () => {
		const { sandbox, queue } = bed();
		const [first, second] = queue.processors;
		expect(await pay(first)).toBe(200);
		// What was learned is written with the end of the execution.
		await workflow.outputs(1);
		sandbox.configure({ signing: { mode: 'none' } });
		expect(await payEverywhere()).toEqual([401, 401, 401]);
		await second?.restart();
		expect(await pay(second)).toBe(401);
		sandbox.configure({ signing: { mode: 'hmac' } });
		expect(await pay(second)).toBe(200);
		await workflow.outputs(2);
	});
});
