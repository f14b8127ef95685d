import type * as Crypto from 'node:crypto';

import { forgeries, forgeryKinds, type SettingsChange } from '../../../sandbox';
import { send } from '../../support/request';
import { useTrigger, withToken } from './useTrigger';

const [minutes, days] = [60_000, 86_400_000];

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
	// Neither the proof nor what it was made with: nobody can send an output again as an event.
	const { secret = '' } = trigger.registrations[0] ?? {};
	expect(JSON.stringify(trigger.n8n.executions)).not.toContain(secret);
	const headers = workflow.outputs().map((output) => output.headers);
	expect(JSON.stringify(headers)).not.toMatch(/sig/);
	workflow.change({ options: { requiredProof: verifiedBy } });
	await workflow.publish();
	// A required signature or secret needs no token.
	const url = verifiedBy === 'url token' ? withToken(workflow) : workflow.productionUrl;
	expect(trigger.addresses.at(-1)).toBe(url);
	expect(await trigger.pay()).toBe(200);
	expect(workflow.outputs().at(-1)).toMatchObject({ verified: true, verifiedBy });
	for (const mode of ['secretInHeader', 'hmac'] as const) {
		trigger.service.configure({ signing: { mode, header: 'X-Other' } });
		expect(await trigger.pay()).toBe(verifiedBy === 'url token' ? 200 : 401);
	}
});

const received = '{"received":true}';
const ready = '{"ready":true}';
const unverified = '{"message":"The event could not be verified."}';

test.each([
	['POST', '', '{"n":1}', received, unverified],
	['POST', 'event=paid&ref=7', '', received, unverified],
	['GET', 'event=paid&ref=7', '', received, unverified],
	// Without anything in it, it is a probe.
	['HEAD', 'event=paid', '', '', ''],
	['GET', '', '', ready, ready],
	['POST', '', '', ready, ready],
	['POST', `token=${'f'.repeat(32)}`, '', ready, ready],
])('%s %j with body %j and the token gets %s', async (method, query, body, answer, otherAnswer) => {
	const workflow = await trigger.published();
	for (const [url, text] of [
		[`${trigger.url}&${query}`, answer],
		[`${workflow.productionUrl}?${query}`, otherAnswer],
	] as const) {
		const status = text === unverified ? 401 : 200;
		const contentType = 'application/json; charset=utf-8';
		expect(await send(url, { method, body })).toEqual({ status, contentType, text });
	}
	const parameters = Object.fromEntries(new URLSearchParams(query));
	const output = { body: body && JSON.parse(body), query: parameters, verifiedBy: 'url token' };
	expect(workflow.outputs()).toMatchObject(answer === received ? [output] : []);
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

	test('among many, reads the credential once a second, and is one line in the log in a minute', async () => {
		const workflow = await trigger.published();
		const before = trigger.logged('warn').length;
		const read = jest.spyOn(trigger.n8n.credentials, 'get');
		const forge = () => trigger.post(workflow.productionUrl, '{"n":1}');
		await Promise.all(Array.from({ length: 50 }, forge));
		expect(read).toHaveBeenCalledTimes(1);
		await trigger.n8n.clock.pass(minutes);
		await forge();
		expect(read).toHaveBeenCalledTimes(2);
		expect(trigger.logged('warn').slice(before)).toEqual([
			expect.stringMatching(/": rejected an event\. It has no valid proof\./),
			expect.stringMatching(/" \(49 more since the last message\): rejected an event\./),
		]);
		// n8n would answer each once more, unless it is told that the node has.
		expect(trigger.n8n.hookFailures).toEqual([]);
	});
});

/** The module itself: an import would be a copy, which nobody else calls. */
const crypto = jest.requireActual<typeof Crypto>('crypto');

describe('what a forgery costs', () => {
	const zeros = (length: number) => '0'.repeat(length);
	/** As much as a forger can do: times and IDs without end, and digests of every form. */
	const times: Record<string, string> = { 'content-type': 'text/plain' };
	for (let index = 0; index < 50; index++) {
		times[`x-${index}-timestamp`] = String(Math.floor(Date.now() / 1000) - index);
		times[`x-${index}-id`] = `msg_${index}`;
	}
	const costly = { ...times, 'x-many': [128, 64, 40].map(zeros).join() };

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

	afterEach(() => jest.restoreAllMocks());

	test.each([
		['of 2 KB a few digests of each algorithm', 2_000, costly, 21, ['sha512', 'sha256', 'sha1']],
		['with one digest a few of its algorithm', 2_000, { ...times, a: zeros(40) }, 7, ['sha1']],
		['of 16 MB a few of one', 16_000_000, costly, 7, ['sha256']],
		['without anything in the form of a digest none', 2_000, { ...times, a: zeros(20) }, 0, []],
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

test('an event with a signed time may be sent again for seven days', async () => {
	trigger.service.configure({ signing: { signedContent: 'timestampDotBody' } });
	const workflow = await trigger.published();
	expect(await trigger.pay()).toBe(200);
	const { body = '', tries: [sent] = [] } = trigger.service.state.deliveries.at(-1) ?? {};
	const names = ['X-Webhook-Signature', 'X-Webhook-Timestamp'];
	const headers = Object.fromEntries(names.map((name) => [name, String(sent?.headers[name])]));
	await trigger.n8n.clock.pass(6 * days);
	expect((await trigger.post(trigger.url, body, headers)).status).toBe(200);
	await trigger.n8n.clock.pass(2 * days);
	// The log says why it is too late, and the answer to a sender with the right token.
	const { status, text } = await trigger.post(trigger.url, body, headers);
	expect([status, text]).toEqual([401, expect.stringMatching(/its time is too far/)]);
	expect(trigger.logged('warn').at(-1)).toMatch(/signature is right, but its time is too far/);
	const answer = await trigger.post(workflow.productionUrl, body, headers);
	expect(answer.text).toBe(unverified);
	expect(workflow.outputs()).toHaveLength(2);
});

describe("n8n's own failures get 503, and the event is taken when it comes again", () => {
	const words = /could not read the settings or the credential/;

	test('no credential', async () => {
		const workflow = await trigger.published();
		trigger.n8n.restart({ receivers: 2 });
		trigger.n8n.readsCredentials = false;
		expect(await trigger.pay()).toBe(503);
		expect((await trigger.post(workflow.productionUrl, '{"forged":true}')).status).toBe(503);
		trigger.n8n.readsCredentials = true;
		expect(await trigger.payAgain()).toBe(200);
		expect(workflow.outputs()).toMatchObject([{ verified: true }]);
		expect(trigger.logged('warn').join()).toMatch(words);
	});

	test('no settings, also where unverified events are accepted', async () => {
		const workflow = await trigger.published({ acceptUnverified: true });
		const version = trigger.n8n.published.get(workflow.id) ?? { parameters: {} };
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
