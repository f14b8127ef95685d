import type { INodeParameters } from 'n8n-workflow';

import { startTlsFront } from '../../tlsFront';
import { failures } from '../../support/failingActivations';
import { send } from '../../support/request';
import { startAnsweringServer } from '../../support/answeringServer';
import { useTrigger, withToken } from './useTrigger';

/** What publishing asks of the service, what it says when that fails, and what it leaves behind. */
const trigger = useTrigger();

const webhookSecret = 'the first of the secrets';
const pinned = { requiredProof: 'signature header:x-webhook-signature sha256 hex body' };

test('publishing registers the address with a token and the secret; again only after a change', async () => {
	trigger.saveCredential({ webhookSecret });
	const workflow = await trigger.published();
	expect(trigger.addresses).toEqual([withToken(workflow)]);
	expect(trigger.registrations[0]?.secret).toBe(webhookSecret);
	const [request] = trigger.service.state.requests;
	expect(request).toMatchObject({ method: 'POST', keyUsed: 'apiKey', status: 200 });
	await workflow.publish();
	expect(trigger.registrations).toHaveLength(1);
	workflow.change({ options: { acceptUnverified: true } });
	await workflow.publish();
	const [first, ...others] = trigger.registrations;
	expect(others).toEqual([first]);
});

test('without a secret in the credential, one is registered that is the same each time', async () => {
	const workflow = await trigger.published();
	await workflow.unpublish();
	trigger.n8n.restart();
	await workflow.publish();
	const [first, second, ...others] = trigger.registrations;
	expect(others).toEqual([]);
	expect(first?.secret).toMatch(/^[0-9a-f]{64}$/);
	expect(second).toEqual(first);
});

test('a required signature needs no token: the address is registered without a query', async () => {
	const workflow = await trigger.published(pinned);
	expect(trigger.addresses).toEqual([workflow.productionUrl]);
	trigger.n8n.restart();
	expect(await trigger.pay()).toBe(200);
	expect((await trigger.post(workflow.productionUrl, '{}')).status).toBe(401);
	expect(workflow.outputs()).toHaveLength(1);
});

test('when n8n itself activates, only what changed is registered again', async () => {
	const workflow = await trigger.published();
	// An n8n before 2.x calls the hooks at each start, when its rows are gone.
	for (const [publicUrl, count] of [
		[trigger.n8n.productionUrl, 1],
		[trigger.n8n.productionUrl.replace('127.0.0.1', 'localhost'), 2],
	] as const) {
		trigger.n8n.restart();
		trigger.n8n.productionUrl = publicUrl;
		trigger.n8n.removeRows(workflow.id);
		await workflow.publish({ activation: 'init' });
		expect(trigger.registrations).toHaveLength(count);
		expect(await trigger.pay()).toBe(200);
	}
	expect(trigger.addresses.at(-1)).toBe(withToken(workflow));
	await workflow.unpublish();
	await workflow.publish({ activation: 'init' });
	expect(trigger.registrations).toHaveLength(3);
});

test('adding lost addresses again registers nothing, and a service that is down takes nothing away', async () => {
	const workflow = await trigger.published();
	expect(await trigger.pay()).toBe(200);
	trigger.n8n.removeRows(workflow.id);
	trigger.service.configure({ faults: [{ endpoint: 'register', kind: 'wrongCode' }] });
	await workflow.publish({ activation: 'update' });
	trigger.service.configure({ faults: [] });
	expect(trigger.registrations).toHaveLength(1);
	expect(await trigger.pay()).toBe(200);
	expect((await trigger.post(trigger.url, '{}')).status).toBe(401);
});

// A service that never answers takes as long as the time limit: left to the e2e tests.
const quickFailures = Object.entries(failures).filter(([name]) => name !== 'no answer');

test.each(quickFailures)(
	'a registration that fails says why and leaves nothing behind: %s',
	async (_name, { words, sandbox = {}, isDown, credential = {}, parameters = {} }) => {
		trigger.service.configure(sandbox);
		const baseUrl = isDown ? 'http://127.0.0.1:1/api' : trigger.service.baseUrl;
		trigger.saveCredential({ baseUrl, ...credential });
		const workflow = trigger.workflow(parameters.options as INodeParameters | undefined);
		await expect(workflow.publish({ tries: 2 })).rejects.toThrow(
			new RegExp(`^The webhook was not registered: ${words}`),
		);
		// A wrong parameter is rejected before anything is sent.
		const hasAsked = isDown !== true && parameters.options === undefined;
		expect(trigger.registrations).toHaveLength(hasAsked ? 2 : 0);
		expect(trigger.n8n.hookFailures).toEqual([]);
		expect((await trigger.post(workflow.productionUrl, '{}')).status).toBe(404);

		trigger.service.configure({ faults: [] });
		trigger.saveCredential();
		workflow.change({ options: {} });
		await workflow.publish();
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs()).toHaveLength(1);
	},
);

test('a setting that no event could read is rejected when publishing', async () => {
	const options = { acceptUnverified: '={{ true }}' };
	await expect(trigger.published(options)).rejects.toThrow(/'Accept Unverified Events' must be/);
	expect(trigger.registrations).toEqual([]);
});

test('a certificate that nobody vouches for is rejected by name, and accepted by the option', async () => {
	const front = await startTlsFront(trigger.service.baseUrl);
	try {
		trigger.saveCredential({ baseUrl: front.baseUrl });
		const workflow = trigger.workflow();
		await expect(workflow.publish()).rejects.toThrow(
			/certificate of the service could not be verified.*Ignore SSL Issues \(Insecure\)/,
		);
		trigger.saveCredential({ baseUrl: front.baseUrl, allowUnauthorizedCerts: true });
		await workflow.publish();
		expect(await trigger.pay()).toBe(200);
	} finally {
		await front.stop();
	}
});

test('an address of this machine is registered with a warning, but not at a public service', async () => {
	await trigger.published();
	expect(trigger.logged('warn').join()).toMatch(/cannot send events to.*not public.*WEBHOOK_URL/);
	trigger.saveCredential({ baseUrl: 'http://service.example/api' });
	const workflow = trigger.workflow();
	const words = `A service on the Internet cannot send events to ${workflow.productionUrl}`;
	await expect(workflow.publish()).rejects.toThrow(words);
});

/** Publishes at a service that registers anything. */
async function publishAt(echoOf: (webhookUrl: string) => string | undefined): Promise<void> {
	const service = await startAnsweringServer(({ body }) => {
		const { webhookUrl } = JSON.parse(body) as { webhookUrl: string };
		const data = { webhookUrl: echoOf(webhookUrl) };
		return { body: JSON.stringify({ responseCode: '00', data }) };
	});
	try {
		trigger.saveCredential({ baseUrl: service.baseUrl });
		await trigger.published();
	} finally {
		await service.stop();
	}
}

test.each([
	['drops what follows the "?"', (url: string) => url.split('?')[0], 1],
	['adds a slash', (url: string) => `${url}/`, 0],
	['echoes nothing', () => undefined, 0],
])('a service that %s: the log says when the token was lost', async (_, echoOf, lines) => {
	await publishAt(echoOf);
	const lost = trigger.logged('warn').filter((line) => /without the token/.test(line));
	expect(lost).toHaveLength(lines);
});

test('a service that looks at the address while it is being registered gets 200', async () => {
	const seen: Array<Promise<number | undefined>> = [];
	await publishAt((url) => {
		for (const method of ['GET', 'HEAD', 'POST']) {
			seen.push(send(url, { method }).then(({ status }) => status));
		}
		return url;
	});
	expect(await Promise.all(seen)).toEqual([200, 200, 200]);
});
