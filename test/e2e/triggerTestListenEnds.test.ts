import { waitFor } from '../../scripts/shared/waitFor';
import { useOtherServices, withCredential } from './support/otherServices';
import { useTestBed } from './support/testBed';
import {
	addPage,
	paymentIds,
	registeredUrl,
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
