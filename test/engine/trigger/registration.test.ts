import type { INodeParameters } from 'n8n-workflow';

import { failures, type Failure } from '../../support/failingActivations';
import { send } from '../../support/request';
import { startAnsweringServer } from '../../support/answeringServer';
import { useTrigger, withToken } from './useTrigger';

/** What publishing asks of the service, what it says when that fails, and what it leaves behind. */
const trigger = useTrigger();

const webhookSecret = 'the first of the secrets';

test.each([
	['the secret of the credential', webhookSecret, new RegExp(`^${webhookSecret}$`)],
	['a secret that is the same each time', '', /^[0-9a-f]{64}$/],
])('publishing registers the address with a token and %s', async (_, chosen, words) => {
	trigger.saveCredential({ webhookSecret: chosen });
	const workflow = await trigger.published();
	expect(trigger.addresses).toEqual([withToken(workflow)]);
	expect(trigger.registrations[0]?.secret).toMatch(words);
	const [request] = trigger.service.state.requests;
	expect(request).toMatchObject({ method: 'POST', keyUsed: 'apiKey', status: 200 });
	await workflow.publish();
	expect(trigger.registrations).toHaveLength(1);
	workflow.change({ options: { acceptUnverified: true } });
	await workflow.publish();
	await workflow.unpublish();
	trigger.n8n.restart();
	await workflow.publish();
	const [first] = trigger.registrations;
	expect(trigger.registrations).toEqual([first, first, first]);
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

const noSwitch: Failure = {
	parameters: { options: { acceptUnverified: '={{ true }}' } },
	words: "'Accept Unverified Events' must be",
};
// A service that never answers takes as long as the time limit: left to the e2e tests.
const quickFailures = Object.entries({ ...failures, 'no switch': noSwitch }).filter(
	([name]) => name !== 'no answer',
);

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
