import type { Sandbox } from '../../sandbox';
import { waitFor } from '../../scripts/shared/waitFor';
import { useOtherServices, withCredential } from './support/otherServices';
import { startTimeout, useTestBed } from './support/testBed';
import { addPage, registeredUrl, registrations, TriggerWorkflow } from './support/triggerWorkflow';

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

async function untilRegistered(sandbox: Sandbox, url: string): Promise<void> {
	await waitFor(() => registeredUrl(sandbox) === url, { what: `${url} to be registered again` });
}

function paymentIds(outputs: Array<{ body?: unknown }>): unknown[] {
	return outputs.map(({ body }) => (body as { paymentId?: unknown }).paymentId).sort();
}

it('shows an event, hands it on to production as it came, and gives the address back', async () => {
	const { sandbox, workflow, url } = await published();
	await workflow.listen();
	expect(registeredUrl(sandbox)).toBe(url.replace('/webhook/', '/webhook-test/'));
	const { payment } = await sandbox.pay('page');
	const [shown] = await workflow.outputs(1, 'manual');
	const [produced] = await workflow.outputs(1);
	expect(shown).toMatchObject({ body: { paymentId: payment.id }, verified: true });
	expect(produced?.['body']).toEqual(shown?.['body']);
	expect(produced?.['verifiedBy']).toBe(shown?.['verifiedBy']);
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
	const paid = await Promise.all(Array.from({ length: 20 }, () => sandbox.pay('page')));
	expect(paid.map(({ deliveries }) => deliveries[0]?.url)).toEqual(
		Array.from({ length: 20 }, () => url.replace('/webhook/', '/webhook-test/')),
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

it('is no error for a workflow that was never published, and says where events go then', async () => {
	const { sandbox, n8n } = bed();
	const before = (await n8n.readLog()).length;
	const workflow = await TriggerWorkflow.save(bed());
	await workflow.listen();
	const url = registeredUrl(sandbox).replace('/webhook-test/', '/webhook/');
	const { payment, deliveries } = await sandbox.pay('page');
	expect(deliveries[0]?.status).toBe('delivered');
	expect(paymentIds(await workflow.outputs(1, 'manual'))).toEqual([payment.id]);
	await untilRegistered(sandbox, url);
	const log = await waitFor(
		async () => {
			const text = (await n8n.readLog()).slice(before);
			return text.includes('this workflow is not published, so events go nowhere now') && text;
		},
		{ what: 'n8n to log that nobody gets events now' },
	);
	expect(log).not.toContain('could not');
	expect(await workflow.count()).toBe(0);
});

it('registers the fallback URL after the test of a workflow that is not published', async () => {
	const fallbackUrl = 'https://www.shop.example/events';
	const workflow = await TriggerWorkflow.save(bed(), { options: { fallbackUrl } });
	await workflow.listen();
	await workflow.cancelListen();
	await untilRegistered(bed().sandbox, `${fallbackUrl}/`);
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

it('gives it back with names and an editor address of its own, after a restart, too', async () => {
	const { sandbox, workflow } = await published();
	await workflow.listen();
	const editor = bed().n8n.url.replace('127.0.0.1', 'localhost');
	await bed().n8n.restart({
		N8N_ENDPOINT_WEBHOOK: 'hooks/in',
		N8N_ENDPOINT_WEBHOOK_TEST: 'hooks/try',
		N8N_EDITOR_BASE_URL: editor,
	});
	// The restart took the address of the test away, and n8n tells nobody.
	await workflow.unpublish();
	await workflow.publish();
	const url = registeredUrl(sandbox);
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/in\//);

	await workflow.listen();
	expect(registeredUrl(sandbox)).toMatch(/^http:\/\/localhost:\d+\/hooks\/try\//);
	const { payment } = await sandbox.pay('page');
	expect(paymentIds(await workflow.outputs(1, 'manual'))).toEqual([payment.id]);
	expect(paymentIds(await workflow.outputs(1))).toEqual([payment.id]);
	await untilRegistered(sandbox, url);
}, 180_000);
