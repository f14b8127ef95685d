import { failures } from '../../e2e/support/failingActivations';
import { waitFor } from '../../../scripts/shared/waitFor';
import { useTrigger } from './useTrigger';

const trigger = useTrigger();

const webhookSecret = 'the first of the secrets';
const fallbackUrl = 'https://www.shop.example/events';

/** Addresses of all registrations, in order; `#` stands for any token. */
function addresses(): string[] {
	return trigger.registrations.map(({ webhookUrl }) =>
		webhookUrl.replace(/token=[0-9a-f]{32}$/, 'token=#'),
	);
}

test('publishing registers the address with a token, once', async () => {
	trigger.saveCredential('api key', { webhookSecret });
	const workflow = trigger.workflow();
	await workflow.publish();
	expect(addresses()).toEqual([`${workflow.productionUrl}?token=#`]);
	expect(trigger.registrations[0]?.secret).toBe(webhookSecret);
	const [request] = trigger.service.state.requests;
	expect(request).toMatchObject({ method: 'POST', keyUsed: 'apiKey', status: 200 });
});

test('without a secret in the credential, one is registered that is the same each time', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	await workflow.unpublish();
	trigger.n8n.restart();
	await workflow.publish();
	const [first, second, ...others] = trigger.registrations;
	expect(others).toEqual([]);
	expect(first?.secret).toMatch(/^[0-9a-f]{64}$/);
	expect(second).toEqual(first);
});

test('neither static data nor the log has a secret in plain text', async () => {
	trigger.saveCredential('api key', { webhookSecret });
	const workflow = trigger.workflow();
	await workflow.publish();
	await trigger.pay();
	const token = new URL(trigger.registrations[0]?.webhookUrl ?? '').searchParams.get('token') ?? '';
	expect(token).not.toBe('');
	const [execution] = workflow.executions();
	expect(execution).toBeDefined();
	const stored = JSON.stringify([workflow.staticData, execution, trigger.log]);
	for (const secret of [webhookSecret, token, trigger.service.settings.apiKey]) {
		expect(stored).not.toContain(secret);
	}
});

// A service that never answers takes as long as the time limit: left to the e2e tests.
const quickFailures = Object.entries(failures).filter(([name]) => name !== 'no answer');

describe('a registration that fails', () => {
	test.each(quickFailures)(
		'says why and leaves nothing behind: %s',
		async (_name, { words, sandbox = {}, isDown, credential = {}, parameters }) => {
			trigger.service.configure(sandbox);
			const baseUrl = isDown ? 'http://127.0.0.1:1/api' : trigger.service.baseUrl;
			trigger.saveCredential('api key', { baseUrl, ...credential });
			const workflow = trigger.workflow({ parameters });
			await expect(workflow.publish({ tries: 2 })).rejects.toThrow(
				new RegExp(`^The webhook was not registered: ${words}`),
			);
			// A wrong parameter is refused before anything is sent.
			const hasAsked = isDown !== true && parameters === undefined;
			expect(trigger.registrations).toHaveLength(hasAsked ? 2 : 0);
			expect(trigger.n8n.hookFailures).toEqual([]);
			expect((await trigger.post(workflow.productionUrl, '{}')).status).toBe(404);

			trigger.service.configure({ faults: [] });
			trigger.saveCredential('api key');
			workflow.change({ parameters: {} });
			await workflow.publish();
			expect(addresses().at(-1)).toBe(`${workflow.productionUrl}?token=#`);
			expect(await trigger.pay()).toBe(200);
			expect(workflow.outputs()).toHaveLength(1);
		},
	);
});

describe('unpublishing', () => {
	test('registers the fallback URL with the same secret, and nothing else', async () => {
		const workflow = trigger.workflow({
			parameters: { options: { fallbackUrl: ` ${fallbackUrl} ` } },
		});
		await workflow.publish();
		await workflow.unpublish();
		await waitFor(() => trigger.registrations.length > 1, { what: 'the fallback URL' });
		expect(addresses()).toEqual([`${workflow.productionUrl}?token=#`, fallbackUrl]);
		const [first, second] = trigger.registrations;
		expect(second?.secret).toBe(first?.secret);
	});

	test('without a fallback URL registers and starts nothing', async () => {
		const workflow = trigger.workflow();
		await workflow.publish();
		await workflow.unpublish();
		expect(addresses()).toEqual([`${workflow.productionUrl}?token=#`]);
		expect(await trigger.pay()).toBe(404);
		expect(workflow.outputs()).toEqual([]);
	});

	test.each<{ fallbackUrl?: string }>([{}, { fallbackUrl }])(
		'never throws: while the service is down and the credential is gone, with %j',
		async (options) => {
			const workflow = trigger.workflow({ parameters: { options } });
			await workflow.publish();
			trigger.n8n.credentials.clear();
			await workflow.unpublish();
			await workflow.publish().catch(() => undefined);
			trigger.saveCredential('api key', { baseUrl: 'http://127.0.0.1:1/api' });
			await workflow.unpublish();
			expect(trigger.n8n.hookFailures).toEqual([]);
			expect((await trigger.post(workflow.productionUrl, '{}')).status).toBe(404);
			if (options.fallbackUrl === undefined) return;
			// A fallback URL is registered some seconds later; that of another merchant comes last.
			trigger.saveCredential('clock');
			const clock = trigger.workflow({ credentialId: 'clock', parameters: { options } });
			await clock.publish();
			await clock.unpublish();
			await waitFor(() => addresses().at(-1) === options.fallbackUrl, {
				what: 'the fallback URL of the other merchant',
			});
		},
	);
});

test('publishing a changed trigger registers the same address again', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	await workflow.publish();
	expect(trigger.registrations).toHaveLength(1);
	workflow.change({ parameters: { options: { acceptUnverified: true } } });
	await workflow.publish();
	const [first, ...others] = trigger.registrations;
	expect(others).toEqual([first]);
});

test('when n8n itself activates, only what changed is registered again', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
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
	expect(addresses().at(-1)).toBe(`${workflow.productionUrl}?token=#`);
	expect(workflow.outputs()).toHaveLength(2);

	await workflow.unpublish();
	await workflow.publish({ activation: 'init' });
	expect(trigger.registrations).toHaveLength(3);
});

test('events with the old and the new secret are taken after a change of the credential', async () => {
	trigger.saveCredential('api key', { webhookSecret });
	const workflow = trigger.workflow();
	await workflow.publish();
	const { registration } = trigger.service.state;
	if (!registration) throw new Error('Nothing is registered');

	trigger.saveCredential('api key', { webhookSecret: 'the second of the secrets' });
	expect(await trigger.pay()).toBe(200);
	// Without the token, the signature alone counts.
	registration.webhookUrl = registration.webhookUrl.replace(/token=\w+/, 'token=0');
	registration.secret = 'the second of the secrets';
	expect(await trigger.pay()).toBe(200);
	// It may be the service's, changed there or here: nobody can know, so it shall come again.
	registration.secret = 'the third of the secrets';
	expect(await trigger.pay()).toBe(503);
	expect(workflow.outputs()).toHaveLength(2);

	await workflow.unpublish();
	await workflow.publish();
	expect(trigger.registrations.map(({ secret }) => secret)).toEqual([
		webhookSecret,
		'the second of the secrets',
	]);
	expect(await trigger.pay()).toBe(200);
});
