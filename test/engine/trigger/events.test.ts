import { forgeries, forgeryKinds, type SettingsChange } from '../../../sandbox';
import { send } from '../../e2e/support/request';
import { useTrigger } from './useTrigger';

const trigger = useTrigger();

type Signing = NonNullable<SettingsChange['signing']>;

const proofs: Array<[verifiedBy: string, signing: Signing]> = [
	['signature header:x-webhook-signature sha256 hex body', {}],
	[
		'signature header:x-sig sha512 base64 body',
		{ header: 'X-Sig', algorithm: 'sha512', encoding: 'base64', prefix: 'sha512=' },
	],
	[
		'signature header:x-webhook-signature sha1 hex timestampDotBody timestamp:x-time',
		{ algorithm: 'sha1', signedContent: 'timestampDotBody', timestampHeader: 'X-Time' },
	],
	['secret header:x-webhook-signature', { mode: 'secretInHeader' }],
	['url token', { mode: 'none' }],
];

test.each(proofs)(
	'%s: an event starts one execution, in each process',
	async (verifiedBy, signing) => {
		trigger.service.configure({ signing });
		const workflow = trigger.workflow();
		await workflow.publish();
		trigger.n8n.restart({ receivers: 2 });
		expect([await trigger.pay(), await trigger.pay(), await trigger.pay()]).toEqual([
			200, 200, 200,
		]);
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
	},
);

test('the sender is answered in JSON', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	const contentType = 'application/json; charset=utf-8';
	expect(await trigger.post(trigger.registrations[0]?.webhookUrl ?? '', '{}')).toEqual({
		status: 200,
		contentType,
		text: '{"received":true}',
	});
	expect(await trigger.post(workflow.productionUrl, '{}')).toEqual({
		status: 401,
		contentType,
		text: expect.stringMatching(/^\{"message":"[^"]+"\}$/),
	});
	expect(workflow.outputs()).toHaveLength(1);
});

test.each(proofs.slice(0, 3))(
	'%s: as the only proof that is accepted',
	async (verifiedBy, signing) => {
		const { header = 'X-Webhook-Signature', timestampHeader, ...settings } = signing;
		trigger.service.configure({ signing });
		const workflow = trigger.workflow({
			parameters: {
				verification: 'signature',
				signatureHeader: header,
				...(settings.algorithm && { signatureAlgorithm: settings.algorithm }),
				...(settings.encoding && { signatureEncoding: settings.encoding }),
				...(settings.signedContent && { signedContent: settings.signedContent }),
				...(timestampHeader && { timestampHeader }),
			},
		});
		await workflow.publish();
		expect(await trigger.pay()).toBe(200);
		trigger.service.configure({ signing: { mode: 'secretInHeader' } });
		expect(await trigger.pay()).toBe(401);
		expect(workflow.outputs()).toMatchObject([{ verified: true, verifiedBy }]);
	},
);

describe('a forged event', () => {
	test.each(forgeryKinds)('%s is answered 401 and starts nothing', async (kind) => {
		const workflow = trigger.workflow();
		await workflow.publish();
		const { tries } = await trigger.service.forge(kind);
		// Right signatures in an odd form may be taken, but must not make n8n fail.
		const expected = forgeries[kind].mustBeRefused ? [401] : [200, 401];
		expect(expected).toContain(tries[0]?.status);
		expect(workflow.outputs()).toHaveLength(tries[0]?.status === 200 ? 1 : 0);
		expect(workflow.executions().some(({ error }) => error)).toBe(false);
	});

	test('is let in, with verified set to false, when the user accepts that', async () => {
		const workflow = trigger.workflow({ parameters: { unverifiedEvents: 'accept' } });
		await workflow.publish();
		const { tries } = await trigger.service.forge('wrongSecret', { reference: 'made-up' });
		expect(tries[0]?.status).toBe(200);
		expect(await trigger.pay()).toBe(200);
		expect(workflow.outputs()).toMatchObject([
			{ verified: false, verifiedBy: null, body: { paymentPageLinkReference: 'made-up' } },
			{ verified: true },
		]);
	});
});

test.each([
	['GET', undefined],
	['HEAD', undefined],
	['POST', ''],
])('a probe (%s) is answered 200 and starts nothing', async (method, body) => {
	const workflow = trigger.workflow();
	await workflow.publish();
	const { status } = await send(workflow.productionUrl, { method, body });
	expect(status).toBe(200);
	expect(workflow.executions()).toEqual([]);
});

test.each([
	['at the end of the path', '/webhook?', '/webhook/?'],
	['at the end of the query', /$/, '/'],
	['in both places', /\/webhook\?(.*)$/, '/webhook/?$1/'],
])('a slash %s does not matter', async (_, pattern, replacement) => {
	trigger.service.configure({ signing: { mode: 'none' } });
	const workflow = trigger.workflow();
	await workflow.publish();
	const { registration } = trigger.service.state;
	if (!registration) throw new Error('Nothing is registered');
	registration.webhookUrl = registration.requestedUrl.replace(pattern, replacement);
	expect(await trigger.pay()).toBe(200);
	expect(workflow.outputs()).toMatchObject([{ verified: true, query: {} }]);
});

test('after a restart events start executions, and nothing is registered again', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	trigger.n8n.restart();
	expect(await trigger.pay()).toBe(200);
	expect(workflow.outputs()).toHaveLength(1);
	expect(trigger.registrations).toHaveLength(1);
});

test('two workflows do not get the events of each other', async () => {
	const [first, second] = [trigger.workflow(), trigger.workflow()];
	await first.publish();
	await second.publish();
	expect(await trigger.pay()).toBe(200);
	expect([first.outputs(), second.outputs()]).toMatchObject([[], [{ verified: true }]]);
	expect(trigger.registrations.map(({ webhookUrl }) => webhookUrl.split('?')[0])).toEqual([
		first.productionUrl,
		second.productionUrl,
	]);
});

test('an event that n8n could not store may come again, and starts then', async () => {
	const options = { ignoreRepeatedDeliveries: true };
	const workflow = trigger.workflow({ parameters: { options } });
	await workflow.publish();
	trigger.n8n.beforeExecution = () => {
		throw new Error('The database is full');
	};
	expect(await trigger.pay()).toBe(500);
	trigger.n8n.beforeExecution = () => undefined;
	const id = trigger.service.state.deliveries[0]?.id ?? '';
	expect((await trigger.service.resend(id)).tries).toMatchObject([{ status: 200 }]);
	expect((await trigger.service.resend(id)).tries).toMatchObject([{ status: 200 }]);
	expect(workflow.outputs()).toHaveLength(1);
});
