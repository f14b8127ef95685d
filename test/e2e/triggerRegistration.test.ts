import { release } from '../../scripts/localN8n/installation';
import { waitFor } from '../../scripts/shared/waitFor';
import { cleanUp } from '../support/cleanUp';
import { startAnsweringServer } from '../support/answeringServer';
import { send } from '../support/request';
import { registeredUrl, registrations } from '../support/service';
import { useSharedBed } from './support/bed';
import { anotherSandbox, saveApiKey, withCredential } from './support/otherServices';
import { TriggerWorkflow } from './support/triggerWorkflow';

/** What n8n's publication service makes of the trigger's registrations. */
const bed = useSharedBed();
jest.setTimeout(120_000);

const options = { fallbackUrl: 'https://www.shop.example/events' };

test('registers the fallback URL when it is unpublished, and not when it is changed', async () => {
	const { sandbox, client } = bed();
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
	const isBack = () => registeredUrl(other) === `${options.fallbackUrl}/`;
	await waitFor(isBack, { what: 'the fallback URL', timeoutMilliseconds: 60_000 });
	const [first, second, ...others] = registrations(other);
	expect([second?.secret, others]).toEqual([first?.secret, []]);
	// Those of the changes would have come before.
	expect(registrations(sandbox)).toHaveLength(3);
	expect(registeredUrl(sandbox)).toBe(url);

	// Also when its credential is gone; with another one it gets its address back.
	await unpublished.publish();
	await client.deleteCredential(saved.id);
	await unpublished.unpublish();
	expect((await send(otherUrl, { body: '{}' })).status).toBe(404);
	const again = await saveApiKey(bed(), other, 'Other');
	await unpublished.setParameters({ options }, withCredential(again));
	expect(await unpublished.publish()).toMatchObject({ status: 'published' });
	expect(registeredUrl(other)).toBe(otherUrl);
});

test('is found by a service that looks at the address while it registers it, also in a later try', async () => {
	const addresses: string[] = [];
	const probes: string[] = [];
	// An older n8n tries to publish a workflow once.
	const tries = release.isOld ? 1 : 2;
	const service = await startAnsweringServer(async ({ body }) => {
		const { webhookUrl } = JSON.parse(body) as { webhookUrl: string };
		addresses.push(webhookUrl);
		for (const method of ['GET', 'HEAD', 'POST']) {
			probes.push(`${method} ${(await send(webhookUrl, { method })).status}`);
		}
		const responseCode = addresses.length < tries ? '96' : '00';
		return { body: JSON.stringify({ responseCode, responseMessage: '', data: { webhookUrl } }) };
	});
	cleanUp(() => service.stop());
	const { baseUrl } = service;
	const saved = await saveApiKey(bed(), bed().sandbox, 'Probing', { baseUrl });
	// A required signature needs no token, so the address has no query.
	const parameters = { options: { requiredProof: 'signature header:x-signature sha256 hex body' } };
	await TriggerWorkflow.published(bed(), parameters, withCredential(saved));
	const [url = ''] = addresses;
	expect(url).toMatch(/\/webhook\/[\w-]+\/webhook$/);
	expect(addresses).toEqual(Array(tries).fill(url));
	// n8n takes all addresses away after a failure, and brings back the one that had failed.
	const later = ['GET 404', 'HEAD 404', 'POST 200'].slice(0, 3 * (tries - 1));
	expect(probes).toEqual(['GET 200', 'HEAD 200', 'POST 200', ...later]);
	expect((await send(url, {})).status).toBe(200);
});
