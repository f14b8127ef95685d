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
import { needs } from './support/needs';
import { TriggerWorkflow } from './support/triggerWorkflow';

needs(...debianPackages);

/** The life of the trigger in queue mode, and what one process learns and another has to know. */
const bed = useQueueBed({ sandbox: { retry: { firstWaitMilliseconds: 500, maximumTries: 8 } } });
jest.setTimeout(120_000);

beforeEach(async () => {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
});

/** All processes at which an event can arrive. */
function receivers() {
	const { main, processors } = bed().queue;
	return [...processors, main];
}

/** What a payment at each of them is answered. */
async function payEverywhere() {
	const statuses: unknown[] = [];
	for (const process of receivers()) statuses.push(await payAt(bed().sandbox, 'page', process));
	return statuses;
}

const taken = [200, 200, 200];

test('registers the address of the proxy, and takes events in every process while it is published', async () => {
	const { sandbox, queue } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	expect(registeredUrl(sandbox)).toMatch(`${queue.url}/webhook/`);
	expect(await payEverywhere()).toEqual(taken);
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
	expect(await payEverywhere()).toEqual(taken);
	// What was answered 404 comes again.
	await sandbox.deliveriesSettled();
	expect(paymentIds(await workflow.outputs(9))).toEqual(paidIds(sandbox));
	await workflow.unpublish();
});

test('gets events from the processors in turn, and tests from the main process', async () => {
	const { sandbox, queue } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	const path = new URL(registeredUrl(sandbox)).pathname;
	for (let count = 0; count < 4; count++) expect(await payAt(sandbox, 'page')).toBe(200);
	await fetch(`${queue.url}${path.replace('/webhook/', '/webhook-test/')}`, { method: 'POST' });
	const hostsOf = async (address: string) => {
		const lines = (await queue.proxy.readAccessLog()).split('\n');
		const found = lines.filter((line) => line.includes(`POST ${address}`));
		return found.map((line) => `http://${line.split(' ').at(-1) ?? ''}`);
	};
	const tests = await waitFor(
		async () => {
			const hosts = await hostsOf('/webhook-test/');
			return hosts.length > 0 && hosts;
		},
		{ what: 'the proxy to log the last request' },
	);
	expect(tests).toEqual([queue.main.url]);
	const urls = queue.processors.map(({ url }) => url);
	expect((await hostsOf(path)).sort()).toEqual([...urls, ...urls].sort());
	// The token of the address is in no log.
	expect(await queue.proxy.readAccessLog()).not.toContain('token=');
	await workflow.outputs(4);
	await workflow.unpublish();
});

test('shows one of many events to a test on main, while production takes all on the processors', async () => {
	const { sandbox, queue, client } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	await workflow.listen();
	const isNoted = async () => {
		const { staticData } = await client.getWorkflow(workflow.id);
		return JSON.stringify(staticData).includes('testListensUntil');
	};
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
	expect(await payEverywhere()).toEqual([401, 401, 401]);
	await second?.restart();
	expect(await payAt(sandbox, 'page', second)).toBe(401);
	sandbox.configure({ signing: { mode: 'hmac' } });
	expect(await payAt(sandbox, 'page', second)).toBe(200);
	await workflow.outputs(2);
	await workflow.unpublish();
});
