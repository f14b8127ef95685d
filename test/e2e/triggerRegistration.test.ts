import { release } from '../../scripts/localN8n/installation';
import { waitFor } from '../../scripts/shared/waitFor';
import { type Failure, failures } from './support/failingActivations';
import { useOtherServices, withCredential } from './support/otherServices';
import { ProbingService } from './support/probingService';
import { send } from './support/request';
import { startTimeout, useTestBed } from './support/testBed';
import {
	addPage,
	registeredUrl,
	registeredUrls,
	registrations,
	TriggerWorkflow,
	untilRegistered,
} from './support/triggerWorkflow';

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

const fallbackUrl = 'https://www.shop.example/events';

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

/** One of each kind; the engine tests have them all but the first, which takes long. */
const kindsOfFailure = ['no answer', 'code 96', 'wrong key', 'service down', 'no proof'];

test(
	'says why an activation fails, and succeeds once that is mended',
	async () => {
		const chosen = Object.entries(failures).filter(([name]) => kindsOfFailure.includes(name));
		const begun: Array<Promise<[string, Awaited<ReturnType<typeof failAndMend>>]>> = [];
		for (const [name, failure] of chosen) {
			const outcome = failAndMend(name, failure).then((result): [string, typeof result] => [
				name,
				result,
			]);
			begun.push(outcome);
			// One try takes no time, and SQLite in n8n 1.123 gets mixed up by requests at once.
			if (!release.publishesInBackground) await outcome;
		}
		const results = await Promise.all(begun);
		const expected = chosen.map(([name, { words, isDown, parameters }]) => {
			const message = expect.stringMatching(`^The webhook was not registered: ${words}`);
			// A wrong parameter is refused before anything is sent.
			const tries = isDown || parameters ? 0 : release.publishesInBackground ? 5 : 1;
			const mended = { statusWhenMended: 'published', isRegisteredWhenMended: true };
			return [name, { status: 'failed', message, tries, ...mended }] as const;
		});
		expect(results).toHaveLength(kindsOfFailure.length);
		expect(Object.fromEntries(results)).toEqual(Object.fromEntries(expected));
		expect(JSON.stringify(results)).not.toContain('4711');
	},
	startTimeout,
);

test('starts an execution for a payment, and says that a private address is of no use', async () => {
	const workflow = await TriggerWorkflow.published(bed());
	const { payment } = await bed().sandbox.pay('page');
	expect(await workflow.outputs(1)).toEqual([
		expect.objectContaining({
			body: expect.objectContaining({ event: 'payment.completed', paymentId: payment.id }),
			verified: true,
			verifiedBy: 'signature header:x-webhook-signature sha256 hex body',
		}),
	]);
	expect(await bed().n8n.readLog()).toMatch(/cannot send events to http:\/\/127\.0\.0\.1/);
	await workflow.unpublish();
});

test('registers the fallback URL when it is unpublished, and not when it is changed', async () => {
	const { sandbox } = bed();
	const changed = await TriggerWorkflow.published(bed(), { options: { fallbackUrl } });
	const other = await another.sandbox();
	const saved = await another.saveApiKey({ sandbox: other, name: 'Other' });
	const unpublished = await TriggerWorkflow.published(
		bed(),
		{ options: { fallbackUrl } },
		withCredential(saved),
	);
	const [url, otherUrl] = [registeredUrl(sandbox), registeredUrl(other)];
	// n8n leaves a trigger alone whose parameters are the same as in the version before.
	for (const acceptUnverified of [true, false]) {
		await changed.setParameters({ options: { fallbackUrl, acceptUnverified } });
		expect(await changed.publish()).toMatchObject({ status: 'published' });
	}
	await unpublished.unpublish();
	expect(registeredUrl(other)).toBe(otherUrl);
	expect((await send(otherUrl, { body: '{}' })).status).toBe(404);
	await untilRegistered(other, `${fallbackUrl}/`);
	const [first, second, ...others] = registrations(other);
	expect([second?.secret, others]).toEqual([first?.secret, []]);
	// Those of the changes would have come before.
	expect(registrations(sandbox)).toHaveLength(3);
	expect(registeredUrl(sandbox)).toBe(url);
	await changed.unpublish();
});

test('is unpublished also when its credential is gone, and registers anew with another one', async () => {
	const { sandbox, client } = bed();
	const saved = await another.saveApiKey({ sandbox, name: 'Soon gone' });
	const options = { fallbackUrl };
	const workflow = await TriggerWorkflow.published(bed(), { options }, withCredential(saved));
	await client.deleteCredential(saved.id);
	await workflow.unpublish();
	expect((await send(registeredUrl(sandbox), { body: '{}' })).status).toBe(404);
	const again = await another.saveApiKey({ sandbox, name: 'Soon gone' });
	await workflow.setParameters({ options }, withCredential(again));
	expect(await workflow.publish()).toMatchObject({ status: 'published' });
	const [url] = registeredUrls(sandbox);
	expect(registeredUrls(sandbox)).toEqual([url, url]);
	await workflow.unpublish();
});

describe('a service that looks at the address while it registers it', () => {
	let service: ProbingService;
	let workflow: TriggerWorkflow;

	beforeEach(async () => {
		service = await ProbingService.start();
		const { sandbox } = bed();
		const { baseUrl } = service;
		const saved = await another.saveApiKey({ sandbox, name: 'Probing' }, { baseUrl });
		const requiredProof = 'signature header:x-signature sha256 hex body';
		workflow = await TriggerWorkflow.save(
			bed(),
			{ options: { requiredProof } },
			withCredential(saved),
		);
	});
	afterEach(() => service.stop());

	const answered = ['GET 200', 'HEAD 200', 'POST 200'];

	test('finds it there, without a query if a signature is required', async () => {
		expect(await workflow.publish()).toMatchObject({ status: 'published' });
		expect(service.addresses).toEqual([expect.stringMatching(/\/webhook\/[\w-]+\/webhook$/)]);
		expect(service.probes).toEqual(answered);
		await workflow.unpublish();
	});

	test('finds it there for events also when an earlier try to register it failed', async () => {
		service.refusals = 1;
		expect(await workflow.publish()).toMatchObject({ status: 'published' });
		const [url = '', ...others] = service.addresses;
		expect(others).toEqual([url]);
		expect(service.probes.slice(0, 3)).toEqual(answered);
		expect((await send(url, {})).status).toBe(200);
		// n8n takes all addresses away after a failure, and brings back the one that had failed.
		expect(service.probes.slice(3)).toEqual(['GET 404', 'HEAD 404', 'POST 200']);
		await workflow.unpublish();
	});
});

test('leaves the address to the workflow that had it, when another one fails in doubt', async () => {
	const { sandbox } = bed();
	const first = await TriggerWorkflow.published(bed());
	const second = await TriggerWorkflow.save(bed());
	// Not a number of times: between n8n's five tries the trigger tries to give the address back.
	sandbox.configure({ faults: [{ endpoint: 'register', kind: 'cutAfterStoring' }] });
	expect(await second.publish()).toMatchObject({ status: 'failed' });
	sandbox.configure({ faults: [] });
	// The service adds a slash to an address.
	const pathOf = (url = '') => new URL(url).pathname.replace(/\/$/, '');
	const own = pathOf(registeredUrls(sandbox)[0]);
	await waitFor(() => pathOf(registeredUrl(sandbox)) === own, {
		what: 'the address to be given back',
		timeoutMilliseconds: 60_000,
	});
	await waitFor(async () => (await sandbox.pay('page')).deliveries[0]?.tries[0]?.status === 200, {
		what: 'the first workflow to get a payment',
		timeoutMilliseconds: 60_000,
	});
	expect(await second.count()).toBe(0);
	await first.outputs(1);
	await first.unpublish();
}, 240_000);
