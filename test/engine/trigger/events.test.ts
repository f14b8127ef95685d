import type * as Crypto from 'node:crypto';

import { forgeries, forgeryKinds, type SettingsChange } from '../../../sandbox';
import { send } from '../../support/request';
import { useTrigger } from './useTrigger';

/** What becomes of a request at the address of a published workflow. */
const trigger = useTrigger();

type Signing = NonNullable<SettingsChange['signing']>;

const timestamped: Signing = {
	algorithm: 'sha1',
	encoding: 'base64',
	signedContent: 'timestampDotBody',
	timestampHeader: 'X-Time',
};

const standard =
	'signature header:webhook-signature sha256 base64 id.timestamp.body id:webhook-id timestamp:webhook-timestamp';

test.each<[verifiedBy: string, signing: Signing]>([
	['signature header:x-webhook-signature sha256 hex body', {}],
	['signature header:x-sig sha512 hex body', { header: 'X-Sig', algorithm: 'sha512' }],
	['signature header:x-webhook-signature sha1 base64 timestamp.body timestamp:x-time', timestamped],
	[standard, { mode: 'standardWebhooks' }],
	['secret header:x-webhook-signature', { mode: 'secretInHeader', prefix: 'Bearer ' }],
	['url token', { mode: 'none' }],
])('%s: one execution in each process, also as the only proof', async (verifiedBy, signing) => {
	trigger.service.configure({ signing });
	const workflow = await trigger.published();
	trigger.n8n.restart({ receivers: 2 });
	expect([await trigger.pay(), await trigger.pay(), await trigger.pay()]).toEqual([200, 200, 200]);
	expect(trigger.registrations).toHaveLength(1);
	expect(workflow.outputs()).toEqual(
		trigger.service.state.payments.map(({ id }) => ({
			headers: expect.objectContaining({ 'content-type': 'application/json' }),
			params: {},
			query: {},
			body: expect.objectContaining({ event: 'payment.completed', paymentId: id }),
			verified: true,
			verifiedBy,
			receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
		})),
	);
	workflow.change({ options: { requiredProof: verifiedBy } });
	await workflow.publish();
	expect(await trigger.pay()).toBe(200);
	expect(workflow.outputs().at(-1)).toMatchObject({ verified: true, verifiedBy });
	for (const mode of ['secretInHeader', 'hmac'] as const) {
		trigger.service.configure({ signing: { mode, header: 'X-Other' } });
		expect(await trigger.pay()).toBe(verifiedBy === 'url token' ? 200 : 401);
	}
});

test('the sender is answered in JSON', async () => {
	const workflow = await trigger.published();
	const contentType = 'application/json; charset=utf-8';
	expect(await trigger.post(trigger.url, '{}')).toEqual({
		status: 200,
		contentType,
		text: '{"received":true}',
	});
	expect(await trigger.post(workflow.productionUrl, '{}')).toEqual({
		status: 401,
		contentType,
		text: '{"message":"The event could not be verified."}',
	});
	expect(workflow.outputs()).toHaveLength(1);
});

describe('a forged event', () => {
	test.each(forgeryKinds)('%s is answered 401 and starts nothing', async (kind) => {
		const workflow = await trigger.published();
		const { tries } = await trigger.service.forge(kind);
		// Right signatures in an odd form may be taken, but must not make n8n fail.
		const expected = forgeries[kind].mustBeRejected ? [401] : [200, 401];
		expect(expected).toContain(tries[0]?.status);
		expect(workflow.outputs()).toHaveLength(tries[0]?.status === 200 ? 1 : 0);
		expect(workflow.executions().some(({ error }) => error)).toBe(false);
	});

	test('is one line in the log among many, which says why', async () => {
		const workflow = await trigger.published();
		const before = trigger.logged('warn').length;
		const flood = Array.from({ length: 50 }, () => trigger.post(workflow.productionUrl, '{"n":1}'));
		await Promise.all(flood);
		expect(trigger.logged('warn').slice(before)).toEqual([
			expect.stringMatching(/rejected an event\. It has no valid proof\./),
		]);
	});
});

/** The module itself: an import would be a copy, which nobody else calls. */
const crypto = jest.requireActual<typeof Crypto>('crypto');

describe('what a forgery costs', () => {
	/** As much as a forger can do: digests of every form, and times and IDs without end. */
	const plain = { 'content-type': 'text/plain' };
	const costly: Record<string, string> = { ...plain, 'x-many': [128, 64, 40].map(zeros).join() };
	for (let index = 0; index < 50; index++) {
		costly[`x-${index}-timestamp`] = String(Math.floor(Date.now() / 1000) - index);
		costly[`x-${index}-id`] = `msg_${index}`;
	}

	function zeros(length: number): string {
		return '0'.repeat(length);
	}

	/** The algorithms with which bodies of this size were hashed. */
	function spyOnDigests(size: number): string[] {
		const hashed: string[] = [];
		const { createHmac } = crypto;
		jest.spyOn(crypto, 'createHmac').mockImplementation((algorithm, key) => {
			const hmac = createHmac(algorithm, key);
			const update = hmac.update.bind(hmac);
			hmac.update = (data: string) => {
				if (data.length === size) hashed.push(algorithm);
				return update(data);
			};
			return hmac;
		});
		return hashed;
	}

	afterEach(() => {
		jest.restoreAllMocks();
	});

	test.each([
		['of 2 KB a few digests of each algorithm', 2_000, costly, 21, ['sha512', 'sha256', 'sha1']],
		['of 16 MB a few of one', 16_000_000, costly, 7, ['sha256']],
		['without anything in the form of a digest none', 2_000, { ...plain, 'x-a': zeros(20) }, 0, []],
	])('%s, also after a restart', async (_, size, headers, count, algorithms) => {
		const workflow = await trigger.published();
		const hashed = spyOnDigests(size);
		for (const change of [() => undefined, () => trigger.n8n.restart()]) {
			change();
			hashed.length = 0;
			const { status } = await trigger.post(workflow.productionUrl, 'a'.repeat(size), headers);
			expect([status, hashed.length, [...new Set(hashed)]]).toEqual([401, count, algorithms]);
		}
	});
});

describe('what is a probe, and what an event', () => {
	test.each([
		['GET', ''],
		['HEAD', '?event=paid'],
		['POST', ''],
		['POST', `?token=${'f'.repeat(32)}`],
	])('%s %s without a body is a probe: 200, and nothing starts', async (method, query) => {
		const workflow = await trigger.published();
		for (const url of [`${workflow.productionUrl}${query}`, trigger.url]) {
			expect((await send(url, { method })).status).toBe(200);
		}
		expect(workflow.executions()).toEqual([]);
	});

	test.each(['GET', 'POST'])('%s with parameters alone is an event', async (method) => {
		const workflow = await trigger.published();
		const { status, text } = await send(`${trigger.url}&event=paid&ref=7`, { method });
		expect([status, text]).toEqual([200, '{"received":true}']);
		expect(workflow.outputs()).toMatchObject([
			{ body: '', query: { event: 'paid', ref: '7' }, verifiedBy: 'url token' },
		]);
		const forged = await send(`${workflow.productionUrl}?event=paid`, { method });
		expect([forged.status, workflow.outputs().length]).toEqual([401, 1]);
	});
});

test('nothing in an output can be sent again as an event', async () => {
	const workflow = await trigger.published();
	expect(await trigger.pay()).toBe(200);
	const { body, signature } = lastDelivery();
	const secret = trigger.registrations[0]?.secret ?? '';
	const headers = {
		'x-webhook-signature': signature,
		'x-second-signature': `t=1,v1=${signature}`,
		'x-long': `${'a,'.repeat(2_000)}${secret}`,
		'x-original-uri': trigger.url.toUpperCase(),
		'x-harmless': 'yes',
	};
	expect((await trigger.post(trigger.url, body, headers)).status).toBe(200);
	const shown = workflow.outputs().at(-1)?.['headers'] as Record<string, string>;
	expect(shown).toMatchObject({ 'x-harmless': 'yes' });
	const again = await trigger.post(workflow.productionUrl, body, shown);
	expect(again.status).toBe(401);
	expect(JSON.stringify(trigger.n8n.executions)).not.toContain(secret);
});

function lastDelivery() {
	const { body = '', tries = [] } = trigger.service.state.deliveries.at(-1) ?? {};
	const header = (name: string) => String(tries[0]?.headers[name] ?? '');
	return {
		body,
		signature: header('X-Webhook-Signature'),
		time: header('X-Webhook-Timestamp'),
	};
}

const minutes = 60_000;
const days = 24 * 60 * minutes;

test.each([
	['sent again ten minutes later', 10 * minutes, 200],
	['sent again six days later', 6 * days, 200],
	["while n8n's clock is six minutes slow", -6 * minutes, 200],
	['sent again eight days later', 8 * days, 401],
])('an event with a signed time, %s', async (_, later, status) => {
	trigger.service.configure({ signing: { signedContent: 'timestampDotBody' } });
	const workflow = await trigger.published();
	expect(await trigger.pay()).toBe(200);
	const { body, signature, time } = lastDelivery();
	const headers = { 'x-webhook-signature': signature, 'x-webhook-timestamp': time };
	await trigger.n8n.clock.pass(later);
	const answer = await trigger.post(trigger.url, body, headers);
	expect(answer.status).toBe(status);
	expect(workflow.outputs()).toHaveLength(status === 200 ? 2 : 1);
	if (status === 200) return;
	// The log says so, and the answer to a sender with the right token.
	expect(trigger.logged('warn').at(-1)).toMatch(/signature is right, but its time is too far/);
	expect(answer.text).toMatch(/its time is too far/);
	expect(await trigger.post(workflow.productionUrl, body, headers)).toMatchObject({
		status: 401,
		text: '{"message":"The event could not be verified."}',
	});
});

describe("n8n's own failures get 503, and the event is taken when it comes again", () => {
	test.each([0, 2])(
		'the credential cannot be read; %d processes beside main',
		async (receivers) => {
			const workflow = await trigger.published();
			trigger.n8n.restart({ receivers });
			trigger.n8n.readsCredentials = false;
			expect(await trigger.pay()).toBe(503);
			expect((await trigger.post(workflow.productionUrl, '{"forged":true}')).status).toBe(503);
			trigger.n8n.readsCredentials = true;
			expect(await trigger.payAgain()).toBe(200);
			expect(workflow.outputs()).toMatchObject([{ verified: true }]);
			expect(trigger.logged('warn').join()).toMatch(
				/could not read the settings or the credential/,
			);
		},
	);

	test('the settings cannot be read, also where unverified events are accepted', async () => {
		const workflow = await trigger.published({ acceptUnverified: true });
		const version = trigger.n8n.published.get(workflow.id);
		if (!version) throw new Error('Nothing is published');
		const { parameters } = version;
		version.parameters = { options: { acceptUnverified: '={{ true }}' } };
		expect(await trigger.pay()).toBe(503);
		version.parameters = parameters;
		expect(await trigger.payAgain()).toBe(200);
		expect(workflow.outputs()).toHaveLength(1);
	});
});

test("n8n's clock may be set back: credential and log are read and written again", async () => {
	const workflow = await trigger.published();
	expect((await trigger.post(workflow.productionUrl, '{"n":1}')).status).toBe(401);
	const { length } = trigger.logged('warn');
	await trigger.n8n.clock.pass(-60 * minutes);
	expect((await trigger.post(workflow.productionUrl, '{"n":1}')).status).toBe(401);
	expect(trigger.logged('warn')).toHaveLength(length + 1);
	trigger.saveCredential({ webhookSecret: 'the second secret' });
	await trigger.n8n.clock.pass(-60 * minutes);
	await workflow.unpublish();
	await workflow.publish();
	expect(await trigger.pay()).toBe(200);
});
