import axios from 'axios';
import { type Failure, failures } from './support/failingActivations';
import { useOtherServices, withCredential } from './support/otherServices';
import { startTimeout, useTestBed } from './support/testBed';
import { addPage, registeredUrl, registrations, TriggerWorkflow } from './support/triggerWorkflow';

const bed = useTestBed({
	environment: {
		// All failing activations at once: n8n tries each five times, in 15 seconds at least.
		N8N_WORKFLOW_PUBLICATION_CONCURRENCY: '20',
		// And on a busy machine it must not give up before it has done so.
		N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '300',
	},
});
jest.setTimeout(120_000);

const another = useOtherServices(bed);

beforeEach(async () => {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
});

/** Publishes in vain, mends what was wrong, and publishes again. */
async function failAndMend(name: string, failure: Failure) {
	const { isDown = false, credential, parameters } = failure;
	let sandbox = await another.sandbox(failure.sandbox);
	const saved = await another.saveApiKey({ sandbox, name }, credential);
	const workflow = await TriggerWorkflow.save(bed(), parameters, withCredential(saved));
	const port = Number(new URL(sandbox.url).port);
	if (isDown) await sandbox.stop();
	const failed = await workflow.publish();
	const tries = registrations(sandbox).length;

	if (isDown) sandbox = await another.sandbox({ port });
	sandbox.configure({ faults: [] });
	await another.saveApiKey({ sandbox, name });
	await workflow.setParameters({});
	const mended = await workflow.publish();
	return {
		status: failed.status,
		message: failed.triggers[0]?.errorMessage,
		tries,
		statusWhenMended: mended.status,
		isRegisteredWhenMended: sandbox.state.registration !== null,
	};
}

it(
	'says why an activation fails, and succeeds once that is mended',
	async () => {
		const results = await Promise.all(
			Object.entries(failures).map(async ([name, failure]) => {
				return [name, await failAndMend(name, failure)] as const;
			}),
		);
		const expected = Object.entries(failures).map(([name, { words, isDown, parameters }]) => {
			const message = expect.stringMatching(`^The webhook was not registered: ${words}`);
			// n8n tries five times; a wrong parameter is refused before anything is sent.
			const tries = isDown || parameters ? 0 : 5;
			const mended = { statusWhenMended: 'published', isRegisteredWhenMended: true };
			return [name, { status: 'failed', message, tries, ...mended }] as const;
		});
		expect(Object.fromEntries(results)).toEqual(Object.fromEntries(expected));
		expect(JSON.stringify(results)).not.toContain('4711');
	},
	startTimeout,
);

it.each([
	[{}, 'signatureHeader'],
	[{ signatureHeader: 'X-Signature', signedContent: 'timestampDotBody' }, 'timestampHeader'],
])('lets n8n itself refuse a signature with only %j', async (change, parameter) => {
	const workflow = await TriggerWorkflow.save(bed(), { verification: 'signature', ...change });
	await expect(workflow.publish()).rejects.toThrow(`required parameters: ${parameter}`);
});

it('starts an execution for a payment, and says that a private address is of no use', async () => {
	const workflow = await TriggerWorkflow.published(bed());
	const { payment } = await bed().sandbox.pay('page');
	expect(await workflow.outputs(1)).toEqual([
		expect.objectContaining({
			body: expect.objectContaining({ event: 'payment.completed', paymentId: payment.id }),
			verified: true,
			verifiedBy: 'signature header:x-webhook-signature sha256 hex body',
		}),
	]);
	expect(await bed().n8n.readLog()).toMatch(/127\.0\.0\.1\S+ is an address that only this machine/);
	await workflow.unpublish();
});

it('goes on after a restart of n8n', async () => {
	const workflow = await TriggerWorkflow.published(bed());
	await bed().n8n.restart();
	await bed().sandbox.pay('page');
	expect(await workflow.outputs(1)).toHaveLength(1);
	await workflow.unpublish();
});

it('registers anew, and the same, whenever it is published again', async () => {
	const { sandbox } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	for (let count = 2; count <= 5; count++) {
		// n8n leaves a trigger alone whose parameters are the same as in the version before.
		await workflow.setParameters({ options: { ignoreRepeatedDeliveries: count % 2 === 0 } });
		expect(await workflow.publish()).toMatchObject({ status: 'published' });
		expect(registrations(sandbox)).toHaveLength(count);
	}
	for (let count = 6; count <= 7; count++) {
		await workflow.unpublish();
		expect(await workflow.publish()).toMatchObject({ status: 'published' });
		expect(registrations(sandbox)).toHaveLength(count);
	}
	const [first, ...others] = registrations(sandbox);
	for (const other of others) expect(other).toEqual(first);
	await workflow.unpublish();
});

it('takes events with the old and with the new secret after a change of the credential', async () => {
	const { sandbox } = bed();
	const name = 'Changing secret';
	const saved = await another.saveApiKey({ sandbox, name }, { webhookSecret: 'the first secret' });
	const workflow = await TriggerWorkflow.published(bed(), {}, withCredential(saved));
	const { registration } = sandbox.state;
	if (!registration) throw new Error('Nothing is registered.');
	expect(registration.secret).toBe('the first secret');

	await another.saveApiKey({ sandbox, name }, { webhookSecret: 'the second secret' });
	await sandbox.pay('page');
	registration.secret = 'the second secret';
	await sandbox.pay('page');
	registration.secret = 'the third secret';
	registration.webhookUrl = registration.webhookUrl.replace(/token=\w+/, 'token=0');
	const { deliveries } = await sandbox.pay('page');
	expect(deliveries[0]?.tries[0]?.status).toBe(401);

	await workflow.unpublish();
	await workflow.publish();
	expect(sandbox.state.registration?.secret).toBe('the second secret');
	await sandbox.pay('page');
	expect(await workflow.outputs(3)).toHaveLength(3);
	await workflow.unpublish();
});

describe('when it is unpublished', () => {
	it('leaves the address, says so, and starts nothing more', async () => {
		const { sandbox, n8n } = bed();
		const workflow = await TriggerWorkflow.published(bed());
		const url = registeredUrl(sandbox);
		await workflow.unpublish();
		expect(registeredUrl(sandbox)).toBe(url);
		expect(await n8n.readLog()).toContain('the service cannot unregister a webhook');
		const { deliveries } = await sandbox.pay('page');
		expect(deliveries[0]?.tries[0]?.status).toBe(404);
		expect(await workflow.count()).toBe(0);
	});

	it('registers the fallback URL if there is one', async () => {
		const { sandbox } = bed();
		const options = { fallbackUrl: ' https://www.shop.example/events?shop=1 ' };
		const workflow = await TriggerWorkflow.published(bed(), { options });
		await workflow.unpublish();
		expect(sandbox.state.registration).toMatchObject({
			requestedUrl: 'https://www.shop.example/events?shop=1',
			secret: registrations(sandbox)[0]?.secret,
		});
	});

	it.each([{}, { fallbackUrl: 'https://www.shop.example/events' }])(
		'does so also while the service is down, with the options %j',
		async (options) => {
			let sandbox = await another.sandbox();
			const saved = await another.saveApiKey({ sandbox, name: 'Service that goes down' });
			const workflow = await TriggerWorkflow.published(bed(), { options }, withCredential(saved));
			const port = Number(new URL(sandbox.url).port);
			const url = registeredUrl(sandbox);
			await sandbox.stop();
			await workflow.unpublish();
			const answer = await axios.post(url, { a: 1 }, { validateStatus: () => true });
			expect(answer.status).toBe(404);

			sandbox = await another.sandbox({ port });
			await workflow.publish();
			expect(registeredUrl(sandbox)).toBe(url);
			await addPage(sandbox, 'page');
			await sandbox.pay('page');
			expect(await workflow.outputs(1)).toHaveLength(1);
			await workflow.unpublish();
			await sandbox.stop();
		},
	);

	it('does so also when its credential is gone, and registers anew with another one', async () => {
		const { sandbox, client } = bed();
		const saved = await another.saveApiKey({ sandbox, name: 'Soon gone' });
		const options = { fallbackUrl: 'https://www.shop.example/events' };
		const workflow = await TriggerWorkflow.published(bed(), { options }, withCredential(saved));
		await client.deleteCredential(saved.id);
		await workflow.unpublish();
		const again = await another.saveApiKey({ sandbox, name: 'Soon gone' });
		await workflow.setParameters({ options }, withCredential(again));
		expect(await workflow.publish()).toMatchObject({ status: 'published' });
		expect(registrations(sandbox)).toHaveLength(2);
		await workflow.unpublish();
	});
});
