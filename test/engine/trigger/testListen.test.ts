import type { INodeParameters } from 'n8n-workflow';

import { forgeryKinds } from '../../../sandbox';
import { waitFor } from '../../../scripts/shared/waitFor';
import { startAnsweringServer } from '../../support/answeringServer';
import { send } from '../../support/request';
import { paidIds, paymentIds } from '../../support/service';
import { outsideHeader } from '../harness/trigger/n8n';
import type { TriggerWorkflow } from '../harness/trigger/triggerWorkflow';
import { useTrigger, withToken } from './useTrigger';

/**
 * Listen for test event: a test registers nothing, and gets a copy from the published workflow. That
 * no event is lost by it, or runs twice, the model of the trigger asks.
 */
const trigger = useTrigger();

/** A published workflow, whose test listens. */
async function listening(options?: INodeParameters): Promise<TriggerWorkflow> {
	const workflow = await trigger.published(options);
	await workflow.listen();
	return workflow;
}

async function untilShown(workflow: TriggerWorkflow, count = 1) {
	await trigger.n8n.clock.until(() => workflow.outputs('manual').length === count);
}

test.each([0, 3])(
	'of 20 events at once one is shown, as the same item, and each runs once; %d processes beside main',
	async (receivers) => {
		const workflow = await trigger.published();
		trigger.n8n.restart({ receivers });
		await workflow.listen();
		const statuses = await Promise.all(Array.from({ length: 20 }, () => trigger.pay()));
		expect(new Set(statuses)).toEqual(new Set([200]));
		await untilShown(workflow);
		const [shown] = workflow.outputs('manual');
		expect(workflow.outputs()).toContainEqual(shown);
		expect(paymentIds(workflow.outputs())).toEqual(paidIds(trigger.service));
		expect(workflow.isListening).toBe(false);
		await trigger.pay();
		expect(workflow.outputs('manual')).toHaveLength(1);
		expect(trigger.addresses).toEqual([withToken(workflow)]);
	},
);

test('tests begin again right after another, one that required a signature too, and show no forgery', async () => {
	const requiredProof = 'signature header:x-webhook-signature sha256 hex body';
	const workflow = await trigger.published({ requiredProof });
	for (const count of [1, 2, 3]) {
		await workflow.listen();
		await trigger.n8n.clock.pass(9 * 60_000);
		await trigger.service.forge('wrongSecret');
		expect(await trigger.pay()).toBe(200);
		await untilShown(workflow, count);
	}
	expect(workflow.outputs('manual')).toEqual(workflow.outputs());
	expect(trigger.addresses).toEqual([workflow.productionUrl]);
});

test('an event that n8n could not store gets 500 and is not shown, until it comes again', async () => {
	const workflow = await listening();
	trigger.n8n.beforeExecution = () => {
		throw new Error('The database is full');
	};
	expect(await trigger.pay()).toBe(500);
	trigger.n8n.beforeExecution = () => undefined;
	await trigger.n8n.clock.pass(0);
	expect(workflow.outputs('manual')).toEqual([]);
	expect(await trigger.payAgain()).toBe(200);
	await untilShown(workflow);
	expect(workflow.outputs()).toHaveLength(1);
});

test('an event whose sender is gone is stored, shown, and holds up none that comes later', async () => {
	const workflow = await listening();
	const controller = new AbortController();
	trigger.n8n.beforeWebhook = async (response) => {
		trigger.n8n.beforeWebhook = () => undefined;
		controller.abort();
		await waitFor(() => response.closed, { what: 'the end', intervalMilliseconds: 1 });
	};
	const left = { method: 'POST', body: '{"n":1}', signal: controller.signal };
	await expect(fetch(trigger.url, left)).rejects.toThrow();
	await untilShown(workflow);
	expect((await trigger.post(trigger.url, '{"n":1}')).status).toBe(200);
	expect(workflow.outputs()).toMatchObject([{ body: { n: 1 } }, { body: { n: 1 } }]);
});

describe('nothing but a copy starts a test, and nothing at a test starts a published workflow', () => {
	const mark = 'x-payment-pages-test';

	test('forgeries, genuine events, probes and questions get 401, with the token or without', async () => {
		const workflow = await listening();
		const withToken = trigger.url.replace(workflow.productionUrl, workflow.testUrl);
		const statuses: unknown[] = [(await send(`${withToken}&a=1`, {})).status];
		for (const webhookUrl of [workflow.testUrl, withToken]) {
			Object.assign(trigger.service.state.registration ?? {}, { webhookUrl });
			for (const kind of forgeryKinds) {
				statuses.push((await trigger.service.forge(kind)).tries[0]?.status);
			}
			for (const method of ['GET', 'POST', 'HEAD']) {
				statuses.push((await send(webhookUrl, { method })).status);
			}
			statuses.push(await trigger.pay());
		}
		expect(new Set(statuses)).toEqual(new Set([401]));
		expect(trigger.n8n.executions).toEqual([]);
		expect(workflow.isListening).toBe(true);
	});

	test('nor does a copy of another test, a changed one, or a question', async () => {
		const [workflow, other] = [await listening(), await trigger.published()];
		await trigger.post(trigger.url, '{"n":1}');
		await untilShown(workflow);
		const marked = trigger.n8n.ownRequests.findLast((headers) => mark in headers)?.[mark] ?? '';
		const earlier = marked.replace(/^\d+/, (time) => String(Number(time) - 1));
		const body = JSON.stringify(workflow.outputs('manual')[0]);
		await workflow.listen();
		await other.listen();
		const sendMarked = async (url: string, text = body, markedAs = marked) =>
			(await trigger.post(url, text, { [mark]: markedAs })).status;
		expect(await sendMarked(other.testUrl)).toBe(401);
		expect(await sendMarked(workflow.testUrl, body.replace('"n":1', '"n":2'))).toBe(401);
		expect(await sendMarked(workflow.testUrl, body, earlier)).toBe(401);
		// A published workflow takes no copy for an event, whatever token came with it.
		expect(await sendMarked(trigger.url)).toBe(401);
		// The same copy again is taken, for two minutes.
		expect(await sendMarked(workflow.testUrl)).toBe(200);
		await workflow.listen();
		await trigger.n8n.clock.pass(121_000);
		expect(await sendMarked(workflow.testUrl)).toBe(401);
		expect(trigger.n8n.executions).toHaveLength(3);
	});
});

describe('a test that would see nothing is rejected in words, and takes nothing away', () => {
	const notPublished = /^Publish this workflow first; the trigger alone is .* Then test again\.$/;
	const otherSecret = /^This test would see nothing: .*Select its credential/;
	const unreachable = /Look at the workflow's executions, and copy one/;

	async function expectRejected(workflow: TriggerWorkflow, words: RegExp) {
		await expect(workflow.listen()).rejects.toThrow(words);
		expect(workflow.isListening).toBe(false);
		expect(trigger.registrations).toHaveLength(1);
	}

	async function expectUnharmed(workflow: TriggerWorkflow) {
		expect(await trigger.pay()).toBe(200);
		expect([workflow.outputs().length, workflow.outputs('manual').length]).toEqual([1, 0]);
	}

	test.each([
		['when another is published', () => undefined],
		['after a restart', () => trigger.n8n.restart()],
		['in queue mode', () => trigger.n8n.restart({ receivers: 2 })],
	])('of a workflow that is not published, %s', async (_, change) => {
		const workflow = await trigger.published();
		change();
		await expectRejected(trigger.workflow(), notPublished);
		await expectUnharmed(workflow);
	});

	test.each([{ webhookSecret: 'the secret of another' }, { apiKey: 'another-api-key' }])(
		'with another credential, and when n8n cannot reach itself: %j',
		async (change) => {
			const workflow = await trigger.published();
			trigger.saveCredential(change, 'other');
			trigger.n8n.restart();
			workflow.change({ credentialId: 'other' });
			trigger.n8n.reachesItself = false;
			await expectRejected(workflow, unreachable);
			trigger.n8n.reachesItself = true;
			await expectRejected(workflow, otherSecret);
			await expectUnharmed(workflow);
		},
	);

	test.each([
		[200, '{"ready":true}'],
		[200, '{"listen":"shares"}'],
		[404, '<p>Not found</p>'],
		[404, '{"message":"The requested webhook \\"POST x\\" is not registered."}'],
		[302, ''],
		[401, '{"message":"Sign in"}'],
		[502, ''],
	])('when something else answers at one of the addresses: HTTP %d %s', async (status, body) => {
		const workflow = await trigger.published();
		const { productionUrl } = trigger.n8n;
		const headers = { location: workflow.productionUrl };
		const host = await startAnsweringServer(() => ({ status, body, headers }));
		trigger.n8n.testUrl = host.baseUrl;
		await expectRejected(workflow, unreachable);
		Object.assign(trigger.n8n, { testUrl: productionUrl, productionUrl: host.baseUrl });
		if (!body.includes('shares')) await expectRejected(workflow, unreachable);
		trigger.n8n.productionUrl = productionUrl;
		await host.stop();
		await expectUnharmed(workflow);
	});

	test('while the published workflow cannot read its credential', async () => {
		const workflow = await trigger.published();
		trigger.n8n.beforeWebhook = () => {
			trigger.n8n.readsCredentials = false;
		};
		trigger.n8n.restart();
		await expectRejected(workflow, /cannot read its credential at the moment/);
	});
});

test('a copy that does not arrive is said in the log, and the next event is tried', async () => {
	const workflow = await listening();
	trigger.n8n.reachesItself = false;
	const headers = { [outsideHeader]: '1' };
	expect((await trigger.post(trigger.url, '{"n":1}', headers)).status).toBe(200);
	await trigger.n8n.clock.until(() => /could not be copied/.test(trigger.logged('warn').join()));
	trigger.n8n.reachesItself = true;
	expect((await trigger.post(trigger.url, '{"n":2}', headers)).status).toBe(200);
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
	const workflow = await listening();
	const headers = { 'content-type': contentType, 'x-event': 'paid' };
	expect((await trigger.post(`${trigger.url}&page=1`, body, headers)).status).toBe(200);
	await untilShown(workflow);
	expect(workflow.outputs('manual')).toEqual(workflow.outputs());
	expect(workflow.outputs()).toMatchObject([{ query: { page: '1' }, headers }]);
});
