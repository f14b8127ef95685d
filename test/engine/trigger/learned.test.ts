import type { TriggerWorkflow } from '../harness/trigger/triggerWorkflow';
import type { CredentialChange } from '../sandbox';
import { useTrigger } from './useTrigger';

/** What a trigger remembers of its registration and of events: in memory, and in the static data. */
const trigger = useTrigger();

const [first, second, third] = ['a first secret', 'a second secret', 'a third secret'] as const;

async function payWith(mode: 'none' | 'secretInHeader' | 'hmac') {
	trigger.service.configure({ signing: { mode } });
	return await trigger.pay();
}

/** Whether a leaked token still proves an event. */
async function isTokenEnough(): Promise<boolean> {
	const url = trigger.registrations.at(-1)?.webhookUrl ?? '';
	return (await trigger.post(url, '{"n":1}')).status === 200;
}

describe('the required kind of proof', () => {
	test.each([
		['in the same process', () => undefined],
		['after a restart', () => trigger.n8n.restart()],
		['in other processes', () => trigger.n8n.restart({ receivers: 2 })],
	])('only grows: %s', async (_, change) => {
		const workflow = await trigger.published();
		const modes = ['none', 'secretInHeader', 'hmac'] as const;
		let count = 0;
		for (const [learned, mode] of modes.entries()) {
			expect(await payWith(mode)).toBe(200);
			change();
			count++;
			// Each process is asked; the strongest comes last, since it would teach something.
			for (const [shown, other] of modes.slice(0, learned + 1).entries()) {
				const status = shown < learned ? 401 : 200;
				expect([await payWith(other), await payWith(other)]).toEqual([status, status]);
				if (status === 200) count += 2;
			}
			expect(workflow.outputs()).toHaveLength(count);
		}
		expect(trigger.logged('warn').join()).toMatch(/weaker than that of earlier events/);
	});

	test('is taught by nobody who does not know the secret', async () => {
		const workflow = await trigger.published({ acceptUnverified: true });
		for (const kind of ['wrongSecret', 'secretPrefix', 'unsigned'] as const) {
			await trigger.service.forge(kind);
		}
		expect(workflow.outputs()).toMatchObject(Array(3).fill({ verified: false, verifiedBy: null }));
		expect(await payWith('none')).toBe(200);
		expect(workflow.outputs().at(-1)).toMatchObject({ verified: true, verifiedBy: 'url token' });
		// A weaker proof counts as none, also where unverified events are accepted.
		expect([await payWith('hmac'), await payWith('none')]).toEqual([200, 200]);
		expect(workflow.outputs().at(-1)).toMatchObject({ verified: false, verifiedBy: null });
	});

	const useOther = (workflow: TriggerWorkflow, change: CredentialChange) => {
		trigger.saveCredential({ ...change }, 'other');
		workflow.change({ credentialId: 'other' });
	};
	const stepDown = /earlier events had a stronger proof/;

	test.each<[what: string, isGone: boolean, change: (workflow: TriggerWorkflow) => unknown]>([
		['an edit', false, (workflow) => workflow.change({ options: { toleranceSeconds: 60 } })],
		['another secret', false, (workflow) => useOther(workflow, { webhookSecret: second })],
		['another merchant', true, (workflow) => useOther(workflow, trigger.otherMerchant)],
		['a new name of the node', true, (workflow) => workflow.change({ name: 'Payments' })],
		['an end', true, async (workflow) => await workflow.unpublish()],
	])('%s and a publication make the token enough again: %s', async (_, isGone, change) => {
		const workflow = await trigger.published();
		expect(await trigger.pay()).toBe(200);
		expect(await isTokenEnough()).toBe(false);
		await change(workflow);
		await workflow.publish();
		expect(await isTokenEnough()).toBe(isGone);
		expect(await trigger.pay()).toBe(200);
		expect(trigger.logged('warn').join()).not.toMatch(stepDown);
	});

	test('gives way to a weaker proof that is required, and the log calls it a step down', async () => {
		const workflow = await trigger.published();
		expect(await trigger.pay()).toBe(200);
		workflow.change({ options: { requiredProof: ' URL  token ' } });
		await workflow.publish();
		expect(await isTokenEnough()).toBe(true);
		expect(trigger.logged('warn').at(-1)).toMatch(stepDown);
		workflow.change({ options: {} });
		await workflow.publish();
		expect(await isTokenEnough()).toBe(false);
	});

	test('is no step down, and not called one, when the same is required', async () => {
		const workflow = await trigger.published({ requiredProof: 'url token' });
		expect(await payWith('none')).toBe(200);
		workflow.change({ options: { requiredProof: 'url token', acceptUnverified: true } });
		await workflow.publish();
		expect(trigger.logged('warn').join()).not.toMatch(stepDown);
	});
});

/** The service signs with this secret from now on, and knows no token but that of the URL. */
function signWith(secret: string, url = ''): void {
	const { registration } = trigger.service.state;
	if (!registration) throw new Error('Nothing is registered');
	registration.webhookUrl = url || registration.webhookUrl.replace(/token=\w+/, 'token=0');
	registration.secret = secret;
}

test('events with the old and the new secret are taken after a change of the credential', async () => {
	trigger.saveCredential({ webhookSecret: first });
	const workflow = await trigger.published();
	trigger.saveCredential({ webhookSecret: second });
	expect(await trigger.pay()).toBe(200);
	signWith(second);
	expect(await trigger.pay()).toBe(200);
	// It may be the service's, changed there or here: nobody can know, so it shall come again.
	signWith(third);
	expect(await trigger.pay()).toBe(503);
	expect(workflow.outputs()).toHaveLength(2);
	await workflow.unpublish();
	await workflow.publish();
	expect(trigger.registrations.map(({ secret }) => secret)).toEqual([first, second]);
	expect(await trigger.pay()).toBe(200);
});

describe('static data that n8n writes late', () => {
	test.each([
		['in the same process', () => undefined],
		['after a restart', () => trigger.n8n.restart()],
	])('brings no revoked secret back: %s', async (_, change) => {
		trigger.saveCredential({ webhookSecret: first });
		const workflow = await trigger.published();
		const end = trigger.n8n.beginLongExecution(workflow.id);
		trigger.saveCredential({ webhookSecret: second });
		await workflow.unpublish();
		await workflow.publish();
		end();
		change();
		signWith(first, trigger.url);
		for (let count = 0; count < 2; count++) expect([401, 503]).toContain(await trigger.pay());
		signWith(second);
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs()).toHaveLength(1);
	});

	test('does not undo what was learned, and a restart after the next event neither', async () => {
		const workflow = await trigger.published();
		const end = trigger.n8n.beginLongExecution(workflow.id);
		expect(await trigger.pay()).toBe(200);
		end();
		expect(await isTokenEnough()).toBe(false);
		expect(await trigger.pay()).toBe(200);
		trigger.n8n.restart();
		expect(await isTokenEnough()).toBe(false);
	});

	test('does not bring back what was learned before somebody published anew', async () => {
		const workflow = await trigger.published();
		expect(await payWith('hmac')).toBe(200);
		const end = trigger.n8n.beginLongExecution(workflow.id);
		await workflow.unpublish();
		await workflow.publish();
		end();
		expect(await payWith('none')).toBe(200);
	});

	test('does not bring back a registration that was ended', async () => {
		const workflow = await trigger.published();
		const end = trigger.n8n.beginLongExecution(workflow.id);
		await workflow.unpublish();
		end();
		await workflow.publish({ activation: 'init' });
		expect(trigger.registrations).toHaveLength(2);
	});
});
