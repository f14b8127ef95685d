import { waitFor } from '../../../scripts/shared/waitFor';
import { deriveUrlToken, deriveWebhookSecret } from '../../../nodes/PaymentPageTrigger/secrets';
import {
	formatListenRequest,
	listenHeader,
} from '../../../nodes/PaymentPageTrigger/testListen/listenRequest';
import { startAnsweringServer } from '../answeringServer';
import { addresses, paymentIds, withToken } from './addresses';
import { useTrigger } from './useTrigger';

/** Tests of a workflow that is published: it shares its events. */
const trigger = useTrigger();

async function published() {
	const workflow = trigger.workflow();
	await workflow.publish();
	return workflow;
}

async function untilShown(workflow: { outputs(mode: 'manual'): unknown[] }) {
	await waitFor(() => workflow.outputs('manual').length === 1, { what: 'the event to be shown' });
}

/** Nothing is registered for a test, however it ends. */
function expectNothingMoreRegistered(workflow: { productionUrl: string }): void {
	expect(addresses(trigger)).toEqual([withToken(workflow.productionUrl)]);
}

test.each([0, 2])(
	'an event is shown and produced; processes beside main: %d',
	async (receivers) => {
		const workflow = await published();
		trigger.n8n.restart({ receivers });
		await workflow.listen();
		expect(await trigger.pay()).toBe(200);
		await untilShown(workflow);
		const [shown] = workflow.outputs('manual');
		expect(workflow.outputs()).toEqual([{ ...shown, receivedAt: expect.any(String) }]);
		expect(shown).toMatchObject({
			verified: true,
			verifiedBy: expect.stringMatching(/^signature/),
		});
		expect(workflow.isListening).toBe(false);
		expectNothingMoreRegistered(workflow);

		expect(await trigger.pay()).toBe(200);
		expect(await trigger.pay()).toBe(200);
		await waitFor(() => !('testListensUntil' in workflow.staticData), {
			what: 'the sharing to be forgotten',
		});
		expect([workflow.outputs().length, workflow.outputs('manual').length]).toEqual([3, 1]);
	},
);

test.each([0, 3])(
	'of 20 events at once one is shown; processes beside main: %d',
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
		expectNothingMoreRegistered(workflow);
	},
);

test('an event without a proof is shown as such, and production rejects it', async () => {
	const workflow = await published();
	await workflow.listen();
	await trigger.service.forge('wrongSecret');
	await untilShown(workflow);
	expect(workflow.outputs('manual')).toMatchObject([{ verified: false, verifiedBy: null }]);
	expect(workflow.outputs()).toEqual([]);
	expectNothingMoreRegistered(workflow);
});

test('after a cancel nothing is shown, and nothing is registered', async () => {
	const workflow = await published();
	await workflow.listen();
	await workflow.endListen();
	for (let count = 0; count < 3; count++) expect(await trigger.pay()).toBe(200);
	expect([workflow.outputs().length, workflow.outputs('manual').length]).toEqual([3, 0]);
	expectNothingMoreRegistered(workflow);
});

test('a test begins again right after another', async () => {
	const workflow = await published();
	for (const count of [1, 2, 3]) {
		await workflow.listen();
		expect(await trigger.pay()).toBe(200);
		await waitFor(() => workflow.outputs('manual').length === count, { what: 'the next event' });
	}
	expect(workflow.outputs()).toHaveLength(3);
	expectNothingMoreRegistered(workflow);
});

test('when n8n ends while a test listens, nothing is lost and nothing has to be repaired', async () => {
	const workflow = await published();
	await workflow.listen();
	trigger.n8n.restart();
	for (let count = 0; count < 2; count++) expect(await trigger.pay()).toBe(200);
	expect(workflow.outputs()).toHaveLength(2);
	expectNothingMoreRegistered(workflow);
});

test('a service that drops what follows the "?" makes no difference', async () => {
	const workflow = await published();
	await workflow.listen();
	const { registration } = trigger.service.state;
	if (!registration) throw new Error('Nothing is registered.');
	registration.webhookUrl = workflow.productionUrl;
	expect(await trigger.pay()).toBe(200);
	await untilShown(workflow);
	expect(workflow.outputs()).toHaveLength(1);
});

describe('the test is refused in words, and nothing is registered or lost', () => {
	test.each([
		['another webhook secret', { webhookSecret: 'the secret of another' }],
		['another API key', { apiKey: 'another-api-key' }],
	])('with %s', async (_, change) => {
		const workflow = await published();
		trigger.saveCredential('other', change);
		workflow.change({ credentialId: 'other' });
		await expect(workflow.listen()).rejects.toThrow(
			/another webhook secret.*Select the credential/,
		);
		expect(workflow.isListening).toBe(false);
		expect(await trigger.pay()).toBe(200);
		expect([workflow.outputs().length, workflow.outputs('manual').length]).toEqual([1, 0]);
		expectNothingMoreRegistered(workflow);
	});

	test('when something on the way removes the header of the request', async () => {
		const workflow = await published();
		const ingress = await startAnsweringServer(() => ({ body: '{"ready":true}' }));
		try {
			trigger.n8n.productionUrl = ingress.baseUrl;
			await expect(workflow.listen()).rejects.toThrow(
				/removes the header "x-payment-pages-listen"/,
			);
			expect(trigger.registrations).toHaveLength(1);
		} finally {
			await ingress.stop();
		}
	});

	test.each([302, 401, 404])(
		'when the test address leads to HTTP %d of another',
		async (status) => {
			const host = await startAnsweringServer(() => ({ status, body: '<p>Sign in</p>' }));
			try {
				const workflow = await published();
				trigger.n8n.testUrl = host.baseUrl;
				await expect(workflow.listen()).rejects.toThrow('cannot reach the test URL');
				expect(await trigger.pay()).toBe(200);
				expect(workflow.outputs()).toHaveLength(1);
				expectNothingMoreRegistered(workflow);
			} finally {
				await host.stop();
			}
		},
	);
});

test.each([
	['a form', 'application/x-www-form-urlencoded', 'event=paid&name=Zo%C3%AB&a=1&a=2'],
	['a form with an encoding', 'application/x-www-form-urlencoded; charset=utf-8', 'event=paid'],
	['text', 'text/plain', 'paid: é'],
	['JSON of large numbers', 'application/json', '{"id":1002003004005006007}'],
	['an unknown type', 'application/x-unknown', Buffer.from([0xff, 0xd8, 0, 1]).toString('latin1')],
])('%s is shown as production gets it', async (_, contentType, body) => {
	const workflow = await published();
	await workflow.listen();
	const { webhookUrl = '' } = trigger.registrations[0] ?? {};
	const headers = { 'content-type': contentType, 'x-event': 'paid' };
	expect(await trigger.post(`${webhookUrl}&page=1`, body, headers)).toMatchObject({ status: 200 });
	await untilShown(workflow);
	const [shown] = workflow.outputs('manual');
	const [produced] = workflow.outputs();
	expect(shown?.['body']).toEqual(produced?.['body']);
	expect(shown).toMatchObject({ query: { page: '1' }, headers });
});

describe('nobody else can make production share', () => {
	async function ask(workflow: { productionUrl: string }, header: string) {
		const headers = { [listenHeader]: header, 'content-type': 'text/plain' };
		const { status, text } = await trigger.post(workflow.productionUrl, '', headers);
		return { status, answer: JSON.parse(text) as unknown };
	}

	function keys() {
		const { apiKey } = trigger.service.settings;
		const secret = deriveWebhookSecret(apiKey);
		return { secret, token: deriveUrlToken(apiKey, secret) };
	}

	test.each([
		[
			'of another secret',
			() => formatListenRequest({ ...keys(), secret: 'x' }, Date.now() + 60_000),
		],
		[
			'of an empty secret',
			() => formatListenRequest({ ...keys(), secret: '' }, Date.now() + 60_000),
		],
		['that is over', () => formatListenRequest(keys(), Date.now() - 1)],
		['for hours', () => formatListenRequest(keys(), Date.now() + 3_600_000)],
		[
			'whose time was changed',
			() => formatListenRequest(keys(), Date.now() + 60_000).replace(/until=1/, 'until=2'),
		],
	])('with a request %s', async (_, header) => {
		const workflow = await published();
		expect(await ask(workflow, header())).toEqual({
			status: 200,
			answer: { ready: true, listen: 'otherSecret' },
		});
		expect(workflow.staticData).not.toHaveProperty('testListensUntil');
	});

	test.each(['', 'x', 'until=1 signature=2 token=3'])('with a header like %j', async (header) => {
		const workflow = await published();
		expect(await ask(workflow, header)).toEqual({ status: 200, answer: { ready: true } });
	});

	test('and what a test signs is no signature of an event', async () => {
		const workflow = await published();
		const until = Date.now() + 60_000;
		const [, signature = ''] = /signature=(\w+)/.exec(formatListenRequest(keys(), until)) ?? [];
		const headers = { 'x-signature': signature, 'content-type': 'text/plain' };
		const answer = await trigger.post(workflow.productionUrl, `listen until ${until}`, headers);
		expect(answer.status).toBe(401);
	});

	test('and the sharing ends with the time that was asked for', async () => {
		const workflow = await published();
		await workflow.listen();
		await workflow.endListen();
		await workflow.listen();
		const until = Date.now() + 500;
		expect(await ask(workflow, formatListenRequest(keys(), until))).toMatchObject({
			answer: { listen: 'shares' },
		});
		await waitFor(() => Date.now() > until, { what: 'the time to be over' });
		expect(await trigger.pay()).toBe(200);
		await trigger.pay();
		expect([workflow.outputs().length, workflow.outputs('manual').length]).toEqual([2, 0]);
		expect(workflow.staticData).not.toHaveProperty('testListensUntil');
	});
});
