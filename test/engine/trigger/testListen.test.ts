import { forgeryKinds } from '../../../sandbox';
import { waitFor } from '../../../scripts/shared/waitFor';
import { send } from '../../e2e/support/request';
import { startAnsweringServer } from '../answeringServer';
import type { TriggerWorkflow } from '../harness/trigger/triggerWorkflow';
import { addresses, logged, paymentIds, withToken } from './addresses';
import { useTrigger } from './useTrigger';

/** Listen for test event: a test registers nothing, and gets a copy from the published workflow. */
const trigger = useTrigger();

async function published() {
	const workflow = trigger.workflow();
	await workflow.publish();
	return workflow;
}

async function untilShown(workflow: TriggerWorkflow, count = 1) {
	await waitFor(() => workflow.outputs('manual').length === count, { what: 'the shown event' });
}

/** Nothing is registered for a test, however it begins and ends. */
function expectOnlyRegistered(workflow: TriggerWorkflow): void {
	expect(addresses(trigger)).toEqual([withToken(workflow.productionUrl)]);
}

test.each([0, 2])(
	'an event is shown and produced, as the same item; processes beside main: %d',
	async (receivers) => {
		const workflow = await published();
		trigger.n8n.restart({ receivers });
		await workflow.listen();
		expect(await trigger.pay()).toBe(200);
		await untilShown(workflow);
		expect(workflow.outputs('manual')).toEqual(workflow.outputs());
		expect(workflow.outputs()).toMatchObject([{ verified: true }]);
		expect(workflow.isListening).toBe(false);
		expect([await trigger.pay(), await trigger.pay()]).toEqual([200, 200]);
		expect([workflow.outputs().length, workflow.outputs('manual').length]).toEqual([3, 1]);
		expectOnlyRegistered(workflow);
	},
);

test.each([0, 3])(
	'of 20 events at once one is shown, and each runs once; processes beside main: %d',
	async (receivers) => {
		const workflow = await published();
		trigger.n8n.restart({ receivers });
		await workflow.listen();
		const statuses = await Promise.all(Array.from({ length: 20 }, () => trigger.pay()));
		expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
		await untilShown(workflow);
		expect(paymentIds(workflow.outputs())).toEqual(
			trigger.service.state.payments.map(({ id }) => id).sort(),
		);
		await trigger.pay();
		expect(workflow.outputs('manual')).toHaveLength(1);
		expectOnlyRegistered(workflow);
	},
);

test('tests begin again right after another', async () => {
	const workflow = await published();
	for (const count of [1, 2, 3]) {
		await workflow.listen();
		expect(await trigger.pay()).toBe(200);
		await untilShown(workflow, count);
	}
	expect(workflow.outputs()).toHaveLength(3);
	expectOnlyRegistered(workflow);
});

test('after a cancel, or when n8n ends meanwhile, nothing is shown and nothing is lost', async () => {
	const workflow = await published();
	await workflow.listen();
	await workflow.endListen();
	expect(await trigger.pay()).toBe(200);
	await workflow.listen();
	trigger.n8n.restart();
	expect([await trigger.pay(), await trigger.pay()]).toEqual([200, 200]);
	expect([workflow.outputs().length, workflow.outputs('manual').length]).toEqual([3, 0]);
	expectOnlyRegistered(workflow);
});

test('an event that n8n could not store is not shown, but the next one is', async () => {
	const workflow = await published();
	await workflow.listen();
	trigger.n8n.beforeExecution = () => {
		throw new Error('The database is full');
	};
	expect(await trigger.pay()).toBe(500);
	trigger.n8n.beforeExecution = () => undefined;
	expect(await trigger.pay()).toBe(200);
	await untilShown(workflow);
	expect(workflow.outputs('manual')).toEqual(workflow.outputs());
});

test('an event whose sender was gone before n8n had time for it is shown all the same', async () => {
	const workflow = await published();
	await workflow.listen();
	const { webhookUrl = '' } = trigger.registrations[0] ?? {};
	const controller = new AbortController();
	trigger.n8n.beforeWebhook = async (response) => {
		trigger.n8n.beforeWebhook = () => undefined;
		controller.abort();
		await waitFor(() => response.closed, { what: 'the end', intervalMilliseconds: 10 });
	};
	const { signal } = controller;
	await expect(fetch(webhookUrl, { method: 'POST', body: '{"n":1}', signal })).rejects.toThrow();
	await untilShown(workflow);
	expect(workflow.outputs()).toMatchObject([{ body: { n: 1 } }]);
});

describe('nothing but a copy starts a test, and nothing at a test starts a published workflow', () => {
	/** What only the service and n8n know, sent to the test by a stranger who read it somewhere. */
	async function everythingAt(url: string, service = trigger.service) {
		const { registration } = service.state;
		if (!registration) throw new Error('Nothing is registered');
		registration.webhookUrl = url;
		const statuses = new Set<number | null | undefined>();
		for (const kind of forgeryKinds) {
			statuses.add((await service.forge(kind)).tries[0]?.status);
		}
		return statuses;
	}

	test('forgeries, genuine events, probes and questions get 401', async () => {
		const workflow = await published();
		const draft = trigger.workflow();
		await expect(draft.listen()).rejects.toThrow(/^Publish this workflow first/);
		await workflow.listen();
		const { webhookUrl = '' } = trigger.registrations[0] ?? {};
		const [, query = ''] = webhookUrl.split('?');
		expect(await everythingAt(workflow.testUrl)).toEqual(new Set([401]));
		expect(await everythingAt(`${workflow.testUrl}?${query}`)).toEqual(new Set([401]));
		expect(await trigger.pay()).toBe(401);
		for (const method of ['GET', 'POST']) {
			expect((await send(workflow.testUrl, { method })).status).toBe(401);
			expect((await send(`${workflow.testUrl}?${query}&a=1`, { method })).status).toBe(401);
		}
		expect((await send(workflow.testUrl, { method: 'HEAD' })).status).toBe(401);
		expect(trigger.n8n.executions).toEqual([]);
		expect(workflow.isListening).toBe(true);
		expectOnlyRegistered(workflow);
	});

	test('nor does a copy of another test, a changed one, or a question', async () => {
		const [workflow, other] = [await published(), await published()];
		await workflow.listen();
		await trigger.post(trigger.registrations[0]?.webhookUrl ?? '', '{"n":1}');
		await untilShown(workflow);
		const marked = trigger.n8n.reach.requests.filter(
			({ headers }) => headers['x-payment-pages-test'] !== undefined,
		);
		const copy = marked.at(-1);
		const [shown] = workflow.outputs('manual');
		const headers = {
			'content-type': 'application/json',
			'x-payment-pages-test': copy?.headers['x-payment-pages-test'] ?? '',
		};
		await workflow.listen();
		await other.listen();
		const body = JSON.stringify(shown);
		const changed = body.replace('"n":1', '"n":2');
		expect(await trigger.post(other.testUrl, body, headers)).toMatchObject({ status: 401 });
		expect(await trigger.post(workflow.testUrl, changed, headers)).toMatchObject({ status: 401 });
		const [first, time] = headers['x-payment-pages-test'].split(' ');
		const late = { ...headers, 'x-payment-pages-test': `${Number(first) - 1} ${time ?? ''}` };
		expect(await trigger.post(workflow.testUrl, body, late)).toMatchObject({ status: 401 });
		// A published workflow takes no copy for an event, whatever token came with it.
		const { webhookUrl = '' } = trigger.registrations[0] ?? {};
		expect(await trigger.post(webhookUrl, body, headers)).toMatchObject({ status: 401 });
		expect(workflow.outputs('manual')).toHaveLength(1);
		expect(trigger.n8n.executions).toHaveLength(2);
	});

	test('what a test shows is no secret, and no mark that proves anything', async () => {
		const workflow = await published();
		await workflow.listen();
		await trigger.pay();
		await untilShown(workflow);
		const { webhookUrl, secret } = trigger.registrations[0] ?? { webhookUrl: '', secret: '' };
		const sent = JSON.stringify(trigger.n8n.reach.requests.slice(-2));
		for (const hidden of [secret, new URL(webhookUrl).searchParams.get('token') ?? '']) {
			expect(hidden).not.toBe('');
			expect(JSON.stringify(trigger.n8n.executions)).not.toContain(hidden);
		}
		expect(sent).not.toContain(secret);
		expect(JSON.stringify(trigger.n8n.executions)).not.toContain('x-payment-pages-test');
	});

	test('a forged event at the production address is not copied', async () => {
		const workflow = await published();
		await workflow.listen();
		await trigger.service.forge('wrongSecret');
		expect(await trigger.pay()).toBe(200);
		await untilShown(workflow);
		expect(workflow.outputs('manual')).toEqual(workflow.outputs());
	});
});

describe('a test that would see nothing is rejected in words, and takes nothing away', () => {
	async function expectRejected(workflow: TriggerWorkflow, words: RegExp, count: number) {
		await expect(workflow.listen()).rejects.toThrow(words);
		expect(workflow.isListening).toBe(false);
		expect(trigger.registrations).toHaveLength(count);
	}

	test.each([
		['when nothing is published', () => undefined],
		['after a restart', () => trigger.n8n.restart()],
		['in queue mode', () => trigger.n8n.restart({ receivers: 2 })],
	])('of a workflow that is not published, %s', async (_, change) => {
		const words = /^Publish this workflow first; the trigger alone is enough\. Then test again\.$/;
		await expectRejected(trigger.workflow(), words, 0);
		const workflow = await published();
		change();
		await expectRejected(trigger.workflow(), words, 1);
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs()).toHaveLength(1);
		expectOnlyRegistered(workflow);
	});

	test.each([
		['another webhook secret', { webhookSecret: 'the secret of another' }],
		['another API key', { apiKey: 'another-api-key' }],
	])('with %s, also after a restart', async (_, change) => {
		const workflow = await published();
		trigger.saveCredential('other', change);
		workflow.change({ credentialId: 'other' });
		trigger.n8n.restart();
		await expectRejected(workflow, /^This test would see nothing: .*Select its credential/, 1);
		expect(await trigger.pay()).toBe(200);
		expect([workflow.outputs().length, workflow.outputs('manual').length]).toEqual([1, 0]);
	});

	test('when n8n cannot reach itself', async () => {
		const workflow = await published();
		trigger.saveCredential('other', { webhookSecret: 'the secret of another' });
		trigger.n8n.restart();
		trigger.n8n.reach.works = false;
		for (const credentialId of ['api key', 'other']) {
			workflow.change({ credentialId });
			await expectRejected(workflow, /Look at the workflow's executions, and copy one/, 1);
		}
		trigger.n8n.reach.works = true;
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs()).toHaveLength(1);
	});

	test.each([
		[200, '{"ready":true}'],
		[200, '{"listen":"shares"}'],
		[404, '<p>Not found</p>'],
		[404, '{"message":"The requested webhook \\"POST x\\" is not registered."}'],
		[302, ''],
		[401, '{"message":"Sign in"}'],
		[502, ''],
	])('when something else answers at one of the addresses: HTTP %d %s', async (status, body) => {
		const workflow = await published();
		const { productionUrl, testUrl } = trigger.n8n;
		const location = { location: workflow.productionUrl };
		const host = await startAnsweringServer(() => ({ status, body, headers: location }));
		try {
			trigger.n8n.testUrl = host.baseUrl;
			await expectRejected(workflow, /Look at the workflow's executions, and copy one/, 1);
			trigger.n8n.testUrl = testUrl;
			trigger.n8n.productionUrl = host.baseUrl;
			if (!body.includes('shares')) {
				await expectRejected(workflow, /Look at the workflow's executions, and copy one/, 1);
			}
		} finally {
			trigger.n8n.productionUrl = productionUrl;
			await host.stop();
		}
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs()).toHaveLength(1);
	});

	test('while the published workflow cannot read its credential', async () => {
		const workflow = await published();
		trigger.n8n.beforeWebhook = () => {
			trigger.n8n.readsCredentials = false;
		};
		trigger.n8n.restart();
		await expectRejected(workflow, /cannot read its credential at the moment/, 1);
		trigger.n8n.beforeWebhook = () => undefined;
		trigger.n8n.readsCredentials = true;
		await workflow.listen();
		expect(await trigger.pay()).toBe(200);
		await untilShown(workflow);
	});
});

test('one payment runs once, also when the published workflow answers the test late', async () => {
	const workflow = await published();
	let isAsked = false;
	let mayAnswer = false;
	trigger.n8n.beforeWebhook = async () => {
		isAsked = true;
		await waitFor(() => mayAnswer, { what: 'the answer', intervalMilliseconds: 10 });
	};
	const listening = workflow.listen().catch(() => undefined);
	await waitFor(() => isAsked, { what: 'the question', intervalMilliseconds: 10 });
	await listening;
	mayAnswer = true;
	trigger.n8n.beforeWebhook = () => undefined;
	expect(await trigger.pay()).toBe(200);
	expect(workflow.outputs()).toHaveLength(1);
	expectOnlyRegistered(workflow);
});

test('a copy that does not arrive is said in the log, and the next event is tried', async () => {
	const workflow = await published();
	await workflow.listen();
	trigger.n8n.reach.works = false;
	// The sandbox, unlike n8n, comes from outside.
	const headers = { 'x-from-outside': '1' };
	const { webhookUrl = '' } = trigger.registrations[0] ?? {};
	expect((await trigger.post(webhookUrl, '{"n":1}', headers)).status).toBe(200);
	// The question, and the copy.
	const atTest = () => trigger.n8n.reach.requests.filter(({ url }) => url.includes('-test/'));
	const isLogged = () => logged(trigger, 'warn').some((line) => /could not be copied/.test(line));
	await waitFor(() => atTest().length === 2 && isLogged(), { what: 'the line in the log' });
	trigger.n8n.reach.works = true;
	expect((await trigger.post(webhookUrl, '{"n":2}', headers)).status).toBe(200);
	await untilShown(workflow);
	expect(workflow.outputs('manual')).toMatchObject([{ body: { n: 2 } }]);
	expect(workflow.outputs()).toHaveLength(2);
});

test.each([
	['a form', 'application/x-www-form-urlencoded', 'event=paid&name=Zo%C3%AB&a=1&a=2'],
	['text', 'text/plain', 'paid: é'],
	['JSON of large numbers', 'application/json', '{"id":1002003004005006007}'],
	['an unknown type', 'application/x-unknown', Buffer.from([0xff, 0xd8, 0, 1]).toString('latin1')],
])('%s is shown as the workflow gets it', async (_, contentType, body) => {
	const workflow = await published();
	await workflow.listen();
	const { webhookUrl = '' } = trigger.registrations[0] ?? {};
	const headers = { 'content-type': contentType, 'x-event': 'paid' };
	expect(await trigger.post(`${webhookUrl}&page=1`, body, headers)).toMatchObject({ status: 200 });
	await untilShown(workflow);
	expect(workflow.outputs('manual')).toEqual(workflow.outputs());
	expect(workflow.outputs()).toMatchObject([{ query: { page: '1' }, headers }]);
});
