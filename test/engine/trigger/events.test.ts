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
		'signature header:x-webhook-signature sha1 hex timestamp.body timestamp:x-time',
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

test.each(proofs)('%s: as the only proof that counts', async (verifiedBy, signing) => {
	trigger.service.configure({ signing });
	const workflow = trigger.workflow({ parameters: { options: { requiredProof: verifiedBy } } });
	await workflow.publish();
	trigger.n8n.restart({ receivers: 2 });
	for (let count = 0; count < 3; count++) expect(await trigger.pay()).toBe(200);
	expect(workflow.outputs()).toMatchObject(Array(3).fill({ verified: true, verifiedBy }));
	// Other proofs, weaker and stronger ones.
	const others: Signing[] = [
		{ mode: 'secretInHeader', header: 'X-Other' },
		{ mode: 'hmac', header: 'X-Other' },
	];
	for (const other of others) {
		trigger.service.configure({ signing: other });
		expect(await trigger.pay()).toBe(verifiedBy === 'url token' ? 200 : 401);
	}
});

describe('a forged event', () => {
	test.each(forgeryKinds)('%s is answered 401 and starts nothing', async (kind) => {
		const workflow = trigger.workflow();
		await workflow.publish();
		const { tries } = await trigger.service.forge(kind);
		// Right signatures in an odd form may be taken, but must not make n8n fail.
		const expected = forgeries[kind].mustBeRejected ? [401] : [200, 401];
		expect(expected).toContain(tries[0]?.status);
		expect(workflow.outputs()).toHaveLength(tries[0]?.status === 200 ? 1 : 0);
		expect(workflow.executions().some(({ error }) => error)).toBe(false);
	});

	test('is let in, with verified set to false, when the user accepts that', async () => {
		const workflow = trigger.workflow({ parameters: { options: { acceptUnverified: true } } });
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

describe('what is a probe, and what an event', () => {
	test.each([
		['GET', ''],
		['HEAD', '?event=paid'],
		['POST', ''],
		['POST', '?token=x'.replace('x', 'f'.repeat(32))],
	])('%s %s without a body is a probe: 200, and nothing starts', async (method, query) => {
		const workflow = trigger.workflow();
		await workflow.publish();
		const { status } = await send(`${workflow.productionUrl}${query}`, { method });
		expect(status).toBe(200);
		const [registration] = trigger.registrations;
		expect((await send(registration?.webhookUrl ?? '', { method })).status).toBe(200);
		expect(workflow.executions()).toEqual([]);
	});

	test.each([
		['GET', '&event=paid&ref=inv-142'],
		['POST', '&event=paid&ref=inv-142'],
		['GET', '?event=paid&ref=inv-142'],
	])('%s with parameters %s is an event', async (method, query) => {
		const workflow = trigger.workflow();
		await workflow.publish();
		const url = `${trigger.registrations[0]?.webhookUrl ?? ''}${query}`;
		const { status, text } = await send(url, { method });
		expect([status, text]).toEqual([200, '{"received":true}']);
		expect(workflow.outputs()).toMatchObject([
			{
				body: '',
				query: { event: 'paid', ref: 'inv-142' },
				verified: true,
				verifiedBy: 'url token',
			},
		]);
		const forged = await send(`${workflow.productionUrl}?event=paid`, { method });
		expect([forged.status, workflow.outputs().length]).toEqual([401, 1]);
	});
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

test('an event that n8n could not store is not answered 2xx, and may come again', async () => {
	const workflow = trigger.workflow();
	await workflow.publish();
	trigger.n8n.beforeExecution = () => {
		throw new Error('The database is full');
	};
	expect(await trigger.pay()).toBe(500);
	trigger.n8n.beforeExecution = () => undefined;
	const id = trigger.service.state.deliveries[0]?.id ?? '';
	expect((await trigger.service.resend(id)).tries).toMatchObject([{ status: 200 }]);
	expect(workflow.outputs()).toHaveLength(1);
});
