import { useTrigger } from './useTrigger';

/**
 * What a trigger remembers of its registration and of events: in memory, and in the static data. That
 * the required kind of proof only grows, the model of the trigger asks.
 */
const trigger = useTrigger();

const [first, second, third] = ['a first secret', 'a second secret', 'a third secret'] as const;

async function payWith(mode: 'none' | 'hmac') {
	trigger.service.configure({ signing: { mode } });
	return await trigger.pay();
}

/** How an event is answered that has nothing but the token. */
async function sendLeaked() {
	const { status, text } = await trigger.post(trigger.url, '{"n":1}');
	return status === 200 ? 200 : text;
}

const weaker = expect.stringMatching(/weaker than that of earlier events/) as unknown;
const stepDown = /earlier events had a stronger proof/;

test('an unverified event that is accepted teaches nothing, and a weaker proof counts as none', async () => {
	const workflow = await trigger.published({ acceptUnverified: true });
	const kinds = ['wrongSecret', 'secretPrefix', 'unsigned'] as const;
	for (const kind of kinds) await trigger.service.forge(kind);
	expect(workflow.outputs()).toMatchObject(Array(3).fill({ verified: false, verifiedBy: null }));
	expect(await payWith('none')).toBe(200);
	expect(workflow.outputs().at(-1)).toMatchObject({ verified: true, verifiedBy: 'url token' });
	expect([await payWith('hmac'), await payWith('none')]).toEqual([200, 200]);
	expect(workflow.outputs().at(-1)).toMatchObject({ verified: false, verifiedBy: null });
});

test('a weaker proof that is required is enough, and the log calls it a step down', async () => {
	const workflow = await trigger.published();
	expect(await payWith('hmac')).toBe(200);
	expect(await sendLeaked()).toEqual(weaker);
	expect(trigger.logged('warn')).toContainEqual(weaker);
	workflow.change({ options: { requiredProof: ' URL  token ' } });
	await workflow.publish();
	expect(await sendLeaked()).toBe(200);
	expect(trigger.logged('warn').at(-1)).toMatch(stepDown);
	workflow.change({ options: {} });
	await workflow.publish();
	expect(await sendLeaked()).toEqual(weaker);
});

test('the same proof, required again, is no step down', async () => {
	const workflow = await trigger.published({ requiredProof: 'url token' });
	expect(await payWith('none')).toBe(200);
	workflow.change({ options: { requiredProof: 'url token', acceptUnverified: true } });
	await workflow.publish();
	expect(trigger.logged('warn').join()).not.toMatch(stepDown);
});

/** The service signs with this secret from now on, and knows no token but that of the URL. */
function signWith(secret: string, url = trigger.url.replace(/token=\w+/, 'token=0')): void {
	Object.assign(trigger.service.state.registration ?? {}, { webhookUrl: url, secret });
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
	await workflow.republish();
	expect(trigger.registrations.map(({ secret }) => secret)).toEqual([first, second]);
	expect(await trigger.pay()).toBe(200);
});

test.each([
	['in processes that knew it', true, () => undefined],
	['where n8n wrote old static data late', false, () => undefined],
	['where it did, after a restart', false, () => trigger.n8n.restart()],
])('a secret that was revoked proves nothing: %s', async (_, hasReceivers, change) => {
	trigger.saveCredential({ webhookSecret: first });
	const workflow = await trigger.published();
	if (hasReceivers) trigger.n8n.restart({ receivers: 2 });
	expect([await trigger.pay(), await trigger.pay()]).toEqual([200, 200]);
	const end = trigger.n8n.beginLongExecution(workflow.id);
	trigger.saveCredential({ webhookSecret: second });
	await workflow.republish();
	if (!hasReceivers) end();
	change();
	await trigger.n8n.clock.pass(1_000); // for so long, a process keeps the credential that it has read
	signWith(first, trigger.url);
	for (let count = 0; count < 2; count++) expect([401, 503]).toContain(await trigger.pay());
	signWith(second);
	expect(await trigger.pay()).toBe(200);
	expect(workflow.outputs()).toHaveLength(3);
});

describe('static data that n8n writes late', () => {
	test('does not undo what was learned, and a restart after the next event neither', async () => {
		const workflow = await trigger.published();
		const end = trigger.n8n.beginLongExecution(workflow.id);
		expect(await payWith('hmac')).toBe(200);
		end();
		expect(await sendLeaked()).toEqual(weaker);
		expect(await trigger.pay()).toBe(200);
		trigger.n8n.restart();
		expect(await sendLeaked()).toEqual(weaker);
	});

	test('does not bring back what was learned before somebody published anew', async () => {
		const workflow = await trigger.published();
		expect(await payWith('hmac')).toBe(200);
		const end = trigger.n8n.beginLongExecution(workflow.id);
		await workflow.republish();
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
