import { release } from '../../scripts/localN8n/installation';
import { freePort } from '../../scripts/shared/ports';
import { waitFor } from '../../scripts/shared/waitFor';
import { startAnsweringServer } from '../support/answeringServer';
import { send } from '../support/request';
import {
	addPage,
	payAt,
	registeredUrl,
	registeredUrls,
	registrations,
	untilRegistered,
} from '../support/service';
import { startTimeout, useTestBed } from './support/bed';
import { cleanUp } from './support/cleanUp';
import { type Failure, failures } from '../support/failingActivations';
import { anotherSandbox, saveApiKey, withCredential } from './support/otherServices';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { older, testUnless } from './support/cannot';

/** What n8n's publication service makes of the trigger's registrations. */
const bed = useTestBed({
	environment: {
		// All failing activations at once: n8n tries each five times, in 15 seconds at least.
		N8N_WORKFLOW_PUBLICATION_CONCURRENCY: '20',
		// And on a busy machine it must not give up before it has done so.
		N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '300',
	},
});
jest.setTimeout(startTimeout);

const options = { fallbackUrl: 'https://www.shop.example/events' };

beforeEach(async () => {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
});

/** Publishes in vain, mends what was wrong, and publishes again. */
async function failAndMend(name: string, failure: Failure) {
	const { isDown = false, credential, parameters } = failure;
	// One that the system gives to nobody else while the service is down.
	const port = isDown ? await freePort() : 0;
	let sandbox = await anotherSandbox({ ...failure.sandbox, port });
	const saved = await saveApiKey(bed(), sandbox, name, credential);
	const workflow = await TriggerWorkflow.save(bed(), parameters, withCredential(saved));
	if (isDown) await sandbox.stop();
	const failed = await workflow.publish();
	const tries = registrations(sandbox).length;

	if (isDown) sandbox = await anotherSandbox({ port });
	sandbox.configure({ faults: [] });
	await saveApiKey(bed(), sandbox, name);
	await workflow.setParameters({});
	const statuses = [failed.status, (await workflow.publish()).status];
	const isRegistered = sandbox.state.registration !== null;
	return { statuses, message: failed.triggers[0]?.errorMessage, tries, isRegistered };
}

/** One of each kind; the engine tests have them all but the first, which takes long. */
const kindsOfFailure = ['no answer', 'code 96', 'wrong key', 'service down', 'no proof'];

test('says why an activation fails, and succeeds once that is mended', async () => {
	const outcomes: Array<Promise<unknown>> = [];
	const expected: unknown[] = [];
	for (const name of kindsOfFailure) {
		const failure = failures[name] ?? { words: 'no such failure' };
		const outcome = failAndMend(name, failure);
		outcomes.push(outcome);
		// One try takes no time, and SQLite in n8n 1.123 gets mixed up by requests at once.
		if (release.isOld) await outcome;
		// A wrong parameter is rejected before anything is sent.
		const isSilent = failure.isDown === true || failure.parameters !== undefined;
		expected.push({
			statuses: ['failed', 'published'],
			message: expect.stringMatching(`^The webhook was not registered: ${failure.words}`),
			tries: isSilent ? 0 : release.isOld ? 1 : 5,
			isRegistered: true,
		});
	}
	const results = await Promise.all(outcomes);
	expect(results).toEqual(expected);
	expect(JSON.stringify(results)).not.toContain('4711');
});

test('starts an execution for a payment, and says that a private address is of no use', async () => {
	const { sandbox, n8n } = bed();
	const workflow = await TriggerWorkflow.published(bed());
	const { payment } = await sandbox.pay('page');
	expect(await workflow.outputs(1)).toMatchObject([
		{
			body: { event: 'payment.completed', paymentId: payment.id },
			verified: true,
			verifiedBy: 'signature header:x-webhook-signature sha256 hex body',
		},
	]);
	expect(await n8n.readLog()).toMatch(/cannot send events to http:\/\/127\.0\.0\.1/);
	await workflow.unpublish();
});

test('registers the fallback URL when it is unpublished, and not when it is changed', async () => {
	const { sandbox } = bed();
	const changed = await TriggerWorkflow.published(bed(), { options });
	const other = await anotherSandbox();
	const saved = await saveApiKey(bed(), other, 'Other');
	const unpublished = await TriggerWorkflow.published(bed(), { options }, withCredential(saved));
	const [url, otherUrl] = [registeredUrl(sandbox), registeredUrl(other)];
	// n8n leaves a trigger alone whose parameters are the same as in the version before.
	for (const acceptUnverified of [true, false]) {
		await changed.setParameters({ options: { ...options, acceptUnverified } });
		expect(await changed.publish()).toMatchObject({ status: 'published' });
	}
	await unpublished.unpublish();
	expect((await send(otherUrl, { body: '{}' })).status).toBe(404);
	await untilRegistered(other, `${options.fallbackUrl}/`);
	const [first, second, ...others] = registrations(other);
	expect([second?.secret, others]).toEqual([first?.secret, []]);
	// Those of the changes would have come before.
	expect(registrations(sandbox)).toHaveLength(3);
	expect(registeredUrl(sandbox)).toBe(url);
	await changed.unpublish();
});

test('is unpublished also when its credential is gone, and registers anew with another one', async () => {
	const { sandbox, client } = bed();
	const saved = await saveApiKey(bed(), sandbox, 'Soon gone');
	const workflow = await TriggerWorkflow.published(bed(), { options }, withCredential(saved));
	await client.deleteCredential(saved.id);
	await workflow.unpublish();
	expect((await send(registeredUrl(sandbox), { body: '{}' })).status).toBe(404);
	const again = await saveApiKey(bed(), sandbox, 'Soon gone');
	await workflow.setParameters({ options }, withCredential(again));
	expect(await workflow.publish()).toMatchObject({ status: 'published' });
	const [url] = registeredUrls(sandbox);
	expect(registeredUrls(sandbox)).toEqual([url, url]);
	await workflow.unpublish();
});

describe('a service that looks at the address while it registers it', () => {
	const answered = ['GET 200', 'HEAD 200', 'POST 200'];
	const requiredProof = 'signature header:x-signature sha256 hex body';

	/** Publishes at a service that rejects some registrations, after probing. */
	async function publish(rejections: number) {
		const addresses: string[] = [];
		const probes: string[] = [];
		const service = await startAnsweringServer(async ({ body }) => {
			const { webhookUrl } = JSON.parse(body) as { webhookUrl: string };
			addresses.push(webhookUrl);
			for (const method of ['GET', 'HEAD', 'POST']) {
				probes.push(`${method} ${(await send(webhookUrl, { method })).status}`);
			}
			const responseCode = addresses.length > rejections ? '00' : '96';
			return { body: JSON.stringify({ responseCode, responseMessage: '', data: { webhookUrl } }) };
		});
		cleanUp(() => service.stop());
		const { baseUrl } = service;
		const saved = await saveApiKey(bed(), bed().sandbox, 'Probing', { baseUrl });
		const parameters = { options: { requiredProof } };
		await TriggerWorkflow.published(bed(), parameters, withCredential(saved));
		return { addresses, probes };
	}

	test('finds it there, without a query if a signature is required', async () => {
		const { addresses, probes } = await publish(0);
		expect(addresses).toEqual([expect.stringMatching(/\/webhook\/[\w-]+\/webhook$/)]);
		expect(probes).toEqual(answered);
	});

	const reason = 'it tries to publish a workflow once, so that there is no later try';
	testUnless(older, reason)(
		'finds it there for events also when an earlier try to register it failed',
		async () => {
			const { addresses, probes } = await publish(1);
			const [url = '', ...others] = addresses;
			expect(others).toEqual([url]);
			expect((await send(url, {})).status).toBe(200);
			// n8n takes all addresses away after a failure, and brings back the one that had failed.
			expect(probes).toEqual([...answered, 'GET 404', 'HEAD 404', 'POST 200']);
		},
	);
});

test('leaves the address to the workflow that had it, when another one fails in doubt', async () => {
	const { sandbox } = bed();
	const first = await TriggerWorkflow.published(bed());
	const second = await TriggerWorkflow.save(bed());
	// To the end: n8n tries five times, and now and then once more; meanwhile the trigger gives the
	// address back, which the service stores, too.
	sandbox.configure({ faults: [{ endpoint: 'register', kind: 'cutAfterStoring' }] });
	expect(await second.publish()).toMatchObject({ status: 'failed' });
	// The service adds a slash to an address.
	const pathOf = (url = '') => new URL(url).pathname.replace(/\/$/, '');
	const own = pathOf(registeredUrls(sandbox)[0]);
	const minute = { timeoutMilliseconds: 60_000 };
	await waitFor(() => pathOf(registeredUrl(sandbox)) === own, {
		what: 'the address to be given back',
		...minute,
	});
	await waitFor(async () => (await payAt(sandbox, 'page')) === 200, {
		what: 'the first workflow to get a payment',
		...minute,
	});
	expect(await second.count()).toBe(0);
	await first.outputs(1);
	sandbox.configure({ faults: [] });
	await first.unpublish();
});
