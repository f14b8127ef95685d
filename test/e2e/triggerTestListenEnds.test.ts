import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../../scripts/shared/waitFor';
import { useOtherServices, withCredential } from './support/otherServices';
import { send } from './support/request';
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

/** Test listens that cannot be shared with, or are not ended by, the n8n that began them. */
const bed = useTestBed({ environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } });
const another = useOtherServices(bed);

jest.setTimeout(120_000);

beforeEach(async () => {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
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

it('hands events on to a published workflow that has another credential', async () => {
	const sandbox = await another.sandbox();
	await addPage(sandbox, 'page');
	const webhookSecret = 'the-secret-of-another-merchant';
	const saved = await another.saveApiKey({ sandbox, name: 'Another merchant' }, { webhookSecret });
	const workflow = await TriggerWorkflow.published(bed(), { unverifiedEvents: 'accept' });
	await workflow.setParameters({}, withCredential(saved));
	await workflow.listen();
	expect(registeredUrl(sandbox)).toContain('/webhook-test/');
	const { payment } = await sandbox.pay('page');
	const [shown] = await workflow.outputs(1, 'manual');
	const [produced] = await workflow.outputs(1);
	expect(shown).toMatchObject({ body: { paymentId: payment.id }, verified: true });
	expect(produced).toMatchObject({ body: shown?.['body'] as object, verified: false });
	await waitFor(() => registeredUrl(sandbox).includes('/webhook/'), {
		what: 'the production address to be registered',
	});
	await workflow.unpublish();
});

it('starts production once for an event that an earlier test has left marked', async () => {
	const { sandbox } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	const url = registeredUrl(sandbox);
	await workflow.listen();
	sandbox.configure({ faults: [{ endpoint: 'register', kind: 'wrongCode' }] });
	await workflow.cancelListen();
	await waitFor(() => registrations(sandbox).length === 3, { what: 'the address to be refused' });
	const other = await another.sandbox();
	const webhookSecret = 'the-secret-of-yet-another-merchant';
	const saved = await another.saveApiKey({ sandbox: other, name: 'Other' }, { webhookSecret });
	await workflow.setParameters({}, withCredential(saved));
	await workflow.listen();
	const paid = [await sandbox.pay('page')];
	expect(await workflow.outputs(1, 'manual')).toMatchObject([{ verified: false }]);
	await workflow.outputs(1);
	paid.push(await sandbox.pay('page'));
	expect(paid.map(({ deliveries }) => deliveries[0]?.url)).not.toContain(url);
	const ids = paid.map(({ payment }) => payment.id);
	expect(paymentIds(await workflow.outputs(2))).toEqual(ids.sort());
	await workflow.unpublish();
});

it('leaves the address to another workflow when a marked event comes late', async () => {
	const { sandbox } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	const url = registeredUrl(sandbox);
	await workflow.listen();
	const marked = registeredUrl(sandbox);
	await sandbox.pay('page');
	await workflow.outputs(1, 'manual');
	await untilRegistered(sandbox, url);
	const next = await TriggerWorkflow.published(bed());
	const late = { headers: { 'content-type': 'application/json' }, body: '{"late":true}' };
	for (const count of [2, 3, 4]) {
		expect((await send(marked, late)).status).toBe(200);
		await workflow.outputs(count);
	}
	const { payment } = await sandbox.pay('page');
	expect(paymentIds(await next.outputs(1))).toEqual([payment.id]);
	await next.unpublish();
	await workflow.unpublish();
});

it('registers the fallback URL last when the workflow is unpublished while a test ends', async () => {
	const { sandbox } = bed();
	const fallbackUrl = 'https://www.shop.example/events';
	const workflow = await TriggerWorkflow.published(bed(), { options: { fallbackUrl } });
	await workflow.listen();
	const slow = { endpoint: 'register', kind: 'latency', milliseconds: 2_000 } as const;
	sandbox.configure({ faults: [slow] });
	await workflow.cancelListen();
	await waitFor(() => registrations(sandbox).length === 3, { what: 'the end of the test' });
	sandbox.configure({ faults: [] });
	await workflow.unpublish();
	await waitFor(
		() =>
			registrations(sandbox).length === 4 && sandbox.state.requests.every(({ status }) => status),
		{ what: 'all registrations to be answered' },
	);
	expect(registeredUrl(sandbox)).toBe(`${fallbackUrl}/`);
});

it('loses no event when n8n is killed while it listens, and then gives the address back', async () => {
	const { sandbox, n8n } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	const url = registeredUrl(sandbox);
	await workflow.listen();
	expect(unmarkedUrl(sandbox)).toBe(url);
	await n8n.kill();
	await n8n.restart();
	const { payment } = await sandbox.pay('page');
	expect(paymentIds(await workflow.outputs(1))).toEqual([payment.id]);
	expect(sandbox.state.deliveries.at(-1)).toMatchObject({ tries: [{ status: 200 }] });
	await untilRegistered(sandbox, url);
	await workflow.unpublish();
}, 180_000);

it('shares and gives back with names and an editor address of its own', async () => {
	const { sandbox } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	const draft = await TriggerWorkflow.save(bed());
	const editor = bed().n8n.url.replace('127.0.0.1', 'localhost');
	await bed().n8n.restart({
		N8N_ENDPOINT_WEBHOOK: 'hooks/in',
		N8N_ENDPOINT_WEBHOOK_TEST: 'hooks/try',
		N8N_EDITOR_BASE_URL: editor,
	});
	// The new name of the production address is registered by nobody but this.
	await workflow.unpublish();
	await workflow.publish();
	const url = registeredUrl(sandbox);
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/in\//);

	await workflow.listen();
	expect(unmarkedUrl(sandbox)).toBe(url);
	const { payment } = await sandbox.pay('page');
	expect(paymentIds(await workflow.outputs(1, 'manual'))).toEqual([payment.id]);
	expect(paymentIds(await workflow.outputs(1))).toEqual([payment.id]);
	await untilRegistered(sandbox, url);
	await workflow.unpublish();

	await draft.listen();
	expect(registeredUrl(sandbox)).toMatch(/^http:\/\/localhost:\d+\/hooks\/try\//);
	const given = registeredUrl(sandbox).replace('localhost', '127.0.0.1').replace('/try/', '/in/');
	await draft.cancelListen();
	await untilRegistered(sandbox, given);
}, 180_000);

describe('a test address whose host', () => {
	let status = 0;
	const host = createServer((request, response) => {
		const isLogin = request.url === '/login';
		response.writeHead(isLogin ? 200 : status, { location: '/login' }).end('Sign in');
	});
	let hostUrl: string;

	beforeAll(async () => {
		await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
		hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
		await bed().n8n.restart({ N8N_EDITOR_BASE_URL: hostUrl });
	}, startTimeout);
	afterAll(() => {
		host.closeAllConnections();
		host.close();
	});

	it.each([
		['sends elsewhere', 302],
		['asks for a password', 401],
		['does not know it', 404],
	])('%s is not counted on', async (_, hostStatus) => {
		status = hostStatus;
		const workflow = await TriggerWorkflow.published(bed());
		await workflow.listen();
		expect(registeredUrl(bed().sandbox)).toMatch(`${hostUrl}/`);
		await workflow.cancelListen();
		await workflow.unpublish();
	});
});
