import type { Sandbox } from '../../sandbox';
import { waitFor } from '../../scripts/shared/waitFor';
import { useOtherServices, withCredential } from './support/otherServices';
import { startTimeout, useTestBed } from './support/testBed';
import {
	addPage,
	paymentIds,
	registeredUrl,
	registrations,
	TriggerWorkflow,
	unmarkedUrl,
	untilRegistered,
} from './support/triggerWorkflow';

// An isolate for every step of 20 events takes a busy machine longer than the service would wait.
const bed = useTestBed({
	sandbox: { deliveryTimeoutMilliseconds: 60_000 },
	environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
});
const another = useOtherServices(bed);

jest.setTimeout(120_000);

/** n8n ends a test listen after two minutes; this one begins first and is looked at last. */
let leftAlone: { sandbox: Sandbox; workflow: TriggerWorkflow; url: string };

beforeAll(async () => {
	const sandbox = await another.sandbox();
	const saved = await another.saveApiKey({ sandbox, name: 'Left alone' });
	const workflow = await TriggerWorkflow.published(bed(), {}, withCredential(saved));
	leftAlone = { sandbox, workflow, url: registeredUrl(sandbox) };
	await workflow.listen();
}, startTimeout);

beforeEach(async () => {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
});

async function published() {
	const workflow = await TriggerWorkflow.published(bed());
	return { sandbox: bed().sandbox, workflow, url: registeredUrl(bed().sandbox) };
}

it('shows an event, which production gets, too, and gives the address back', async () => {
	const { sandbox, workflow, url } = await published();
	await workflow.listen();
	expect(registeredUrl(sandbox)).not.toBe(url);
	expect(unmarkedUrl(sandbox)).toBe(url);
	const { payment } = await sandbox.pay('page');
	const [shown] = await workflow.outputs(1, 'manual');
	const [produced] = await workflow.outputs(1);
	expect(shown).toMatchObject({ body: { paymentId: payment.id }, verified: true });
	expect(produced?.['body']).toEqual(shown?.['body']);
	expect(produced?.['verifiedBy']).toBe(shown?.['verifiedBy']);
	expect([shown?.['query'], produced?.['query']]).toEqual([{}, {}]);
	await untilRegistered(sandbox, url);
	expect(new Set(registrations(sandbox).map(({ secret }) => secret)).size).toBe(1);
	await workflow.unpublish();
});

it('gives the address back after a cancel', async () => {
	const { sandbox, workflow, url } = await published();
	await workflow.listen();
	await workflow.cancelListen();
	await untilRegistered(sandbox, url);
	await sandbox.pay('page');
	expect(await workflow.outputs(1)).toHaveLength(1);
	expect(await workflow.count('manual')).toBe(0);
	await workflow.unpublish();
});

it('loses no event between a cancel and the moment when the service knows of it', async () => {
	const { sandbox, workflow, url } = await published();
	await workflow.listen();
	const marked = registeredUrl(sandbox);
	const slow = { endpoint: 'register', kind: 'latency', milliseconds: 5_000 } as const;
	sandbox.configure({ faults: [slow] });
	await workflow.cancelListen();
	const { payment } = await sandbox.pay('page');
	expect(paymentIds(await workflow.outputs(1))).toEqual([payment.id]);
	expect(sandbox.state.deliveries.at(-1)).toMatchObject({ url: marked, tries: [{ status: 200 }] });
	sandbox.configure({ faults: [] });
	await untilRegistered(sandbox, url);
	await workflow.unpublish();
});

it('listens again right after a cancel, and gives the address back at the end of that', async () => {
	const { sandbox, workflow, url } = await published();
	await workflow.listen();
	await workflow.cancelListen();
	await workflow.listen();
	const { payment } = await sandbox.pay('page');
	expect(paymentIds(await workflow.outputs(1, 'manual'))).toEqual([payment.id]);
	expect(paymentIds(await workflow.outputs(1))).toEqual([payment.id]);
	await untilRegistered(sandbox, url);
	await workflow.unpublish();
});

it('does not stop n8n when another test begins while the service is slow to answer', async () => {
	const { sandbox, workflow, url } = await published();
	const saved = await another.saveApiKey({ sandbox: await another.sandbox(), name: 'Another' });
	const other = await TriggerWorkflow.save(bed(), {}, withCredential(saved));
	await workflow.listen();
	const slow = { endpoint: 'register', kind: 'latency', milliseconds: 3_000 } as const;
	sandbox.configure({ faults: [slow] });
	await workflow.cancelListen();
	await other.listen();
	await other.cancelListen();
	await untilRegistered(sandbox, url);
	await workflow.unpublish();
});

it('loses none of 20 events that arrive while it listens', async () => {
	const { sandbox, workflow, url } = await published();
	await workflow.listen();
	const marked = registeredUrl(sandbox);
	const paid = await Promise.all(Array.from({ length: 20 }, () => sandbox.pay('page')));
	expect(paid.map(({ deliveries }) => deliveries[0]?.url)).toEqual(
		Array.from({ length: 20 }, () => marked),
	);
	const ids = paid.map(({ payment }) => payment.id).sort();
	expect(paymentIds(await workflow.outputs(20))).toEqual(ids);
	await sandbox.deliveriesSettled();
	await untilRegistered(sandbox, url);
	const { payment } = await sandbox.pay('page');
	expect(paymentIds(await workflow.outputs(21))).toEqual([...ids, payment.id].sort());
	await workflow.unpublish();
});

it('shows an event that cannot be verified, and production refuses it', async () => {
	const { sandbox, workflow, url } = await published();
	await workflow.listen();
	await sandbox.forge('wrongSecret');
	expect(await workflow.outputs(1, 'manual')).toMatchObject([
		{ verified: false, verifiedBy: null, body: { event: 'payment.completed' } },
	]);
	await untilRegistered(sandbox, url);
	await sandbox.pay('page');
	expect(await workflow.outputs(1)).toHaveLength(1);
	await workflow.unpublish();
});

it('says in the log when giving back fails, and how to repair it', async () => {
	const { sandbox, workflow, url } = await published();
	await workflow.listen();
	sandbox.configure({ faults: [{ endpoint: 'register', kind: 'serverError' }] });
	await workflow.cancelListen();
	await waitFor(
		async () =>
			/the production address could not be registered again.*Unpublish it and publish it again/.test(
				await bed().n8n.readLog(),
			),
		{ what: 'n8n to log that giving back failed' },
	);
	sandbox.configure({ faults: [] });
	await workflow.unpublish();
	await workflow.publish();
	expect(registeredUrl(sandbox)).toBe(url);
	await workflow.unpublish();
});

it('gives the address back when its time is up', async () => {
	const { sandbox, workflow, url } = leftAlone;
	await waitFor(() => registeredUrl(sandbox) === url, {
		what: 'the end of the test listen',
		timeoutMilliseconds: 150_000,
	});
	await addPage(sandbox, 'page');
	await sandbox.pay('page');
	expect(await workflow.outputs(1)).toHaveLength(1);
	expect(await workflow.count('manual')).toBe(0);
}, 180_000);
