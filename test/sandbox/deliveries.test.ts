import { createHmac } from 'node:crypto';
import { NotPossible, PaymentRejected, type Sandbox, startSandbox } from '../../sandbox';
import { pageFields, post, type Receiver, registerUrl, startReceiver } from './wire';

const secret = 'hook secret';
let sandbox: Sandbox;
let receiver: Receiver;
let answers: (count: number) => number;

beforeAll(async () => {
	sandbox = await startSandbox({ retry: { firstWaitMilliseconds: 20 } });
});
beforeEach(async () => {
	answers = () => 200;
	receiver = await startReceiver((count) => answers(count));
});
afterEach(async () => {
	await sandbox.reset();
	await receiver.stop();
});
afterAll(() => sandbox.stop());

function hmac(body: Buffer, key = secret): string {
	return createHmac('sha256', key).update(body).digest('hex');
}

async function createPage(fields: object = {}): Promise<void> {
	const page = { paymentPageLinkReference: 'a', amount: '12.50', ...fields };
	await post(sandbox, 'create', pageFields(sandbox, page));
}

test('calls the callback and sends a signed event, each with the exact payment', async () => {
	await registerUrl(sandbox, `${receiver.url}/hook?token=t`, secret);
	await createPage({ callBackUrl: `${receiver.url}/paid?order=7`, isTestMode: true });
	const { payment, deliveries } = await sandbox.pay('a', { phoneNumber: '+49 30 1' });

	expect(deliveries.map(({ kind, status }) => [kind, status])).toEqual([
		['callback', 'delivered'],
		['event', 'delivered'],
	]);
	const callback = receiver.received.find(({ url }) => url === '/paid?order=7');
	const event = receiver.received.find(({ url }) => url === '/hook/?token=t');
	const content =
		`"paymentId":"${payment.id}","merchantId":1002003004005006007,"paymentPageId":1,` +
		`"paymentPageLinkReference":"a","pageName":"Page","amount":12.5,"phoneNumber":"+49 30 1",` +
		`"isTestMode":true,"paidAt":"${payment.paidAt}"}`;
	expect(callback?.body.toString()).toBe(`{${content}`);
	expect(callback?.headers['x-webhook-signature']).toBeUndefined();
	expect(event?.body.toString()).toMatch(
		/^\{"event":"payment\.completed","eventId":"[0-9a-f-]{36}",/,
	);
	expect(event?.body.toString()).toContain(content);
	expect(event?.headers['x-webhook-signature']).toBe(hmac(event?.body ?? Buffer.alloc(0)));
	expect(event?.headers['content-type']).toBe('application/json');
});

test('signs with a timestamp of now when the settings say so', async () => {
	sandbox.configure({ signing: { signedContent: 'timestampDotBody', prefix: 'v1=' } });
	await registerUrl(sandbox, receiver.url, secret);
	await createPage();
	await sandbox.pay('a');
	const [event] = receiver.received;
	const timestamp = String(event?.headers['x-webhook-timestamp']);
	expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30);
	const signed = Buffer.concat([Buffer.from(`${timestamp}.`), event?.body ?? Buffer.alloc(0)]);
	expect(event?.headers['x-webhook-signature']).toBe(`v1=${hmac(signed)}`);
});

test('sends nothing when there is neither a callback nor a registration', async () => {
	await createPage();
	expect((await sandbox.pay('a')).deliveries).toEqual([]);
});

test('tries again with growing waits until it is answered 2xx, with the same bytes', async () => {
	answers = (count) => [500, 302, 204][count - 1] ?? 200;
	await registerUrl(sandbox, receiver.url);
	await createPage();
	const { deliveries } = await sandbox.pay('a');
	expect(deliveries[0]).toMatchObject({ status: 'waiting', tries: [{ status: 500 }] });
	await sandbox.deliveriesSettled();
	expect(deliveries[0]?.status).toBe('delivered');
	expect(deliveries[0]?.tries.map(({ status }) => status)).toEqual([500, 302, 204]);
	expect(deliveries[0]?.tries[0]).toMatchObject({ answer: '{"received":true}', error: null });
	const [first, second, third] = receiver.received;
	if (!first || !second || !third) throw new Error('three tries were expected');
	expect(second.at - first.at).toBeGreaterThanOrEqual(19);
	expect(third.at - second.at).toBeGreaterThanOrEqual(39);
	expect([second.body, third.body]).toEqual([first.body, first.body]);
});

test('gives up after five tries', async () => {
	answers = () => 401;
	sandbox.configure({ retry: { firstWaitMilliseconds: 1 } });
	await registerUrl(sandbox, receiver.url);
	await createPage();
	const { deliveries } = await sandbox.pay('a');
	await sandbox.deliveriesSettled();
	expect(deliveries[0]?.status).toBe('failed');
	expect(deliveries[0]?.tries).toHaveLength(5);
	expect(receiver.received).toHaveLength(5);
});

test('logs why there was no answer', async () => {
	const gone = await startReceiver();
	await gone.stop();
	sandbox.configure({ retry: { maximumTries: 1 } });
	await registerUrl(sandbox, gone.url);
	await createPage();
	const { deliveries } = await sandbox.pay('a');
	await sandbox.deliveriesSettled();
	expect(deliveries[0]).toMatchObject({
		status: 'failed',
		tries: [{ status: null, error: expect.stringContaining('ECONNREFUSED') }],
	});
});

test('ends a wait when it is stopped', async () => {
	answers = () => 500;
	const other = await startSandbox({ retry: { firstWaitMilliseconds: 3_600_000 } });
	await registerUrl(other, receiver.url);
	await post(other, 'create', pageFields(other, { paymentPageLinkReference: 'a', amount: 1 }));
	const { deliveries } = await other.pay('a');
	await other.stop();
	expect(deliveries[0]).toMatchObject({ status: 'failed', tries: [{ status: 500 }] });
});

test('sends an event again to the webhook of now, with the same bytes and the secret of now', async () => {
	await registerUrl(sandbox, `${receiver.url}/old`, 'old secret');
	await createPage({ callBackUrl: `${receiver.url}/paid` });
	const { deliveries } = await sandbox.pay('a');
	await registerUrl(sandbox, `${receiver.url}/new`, 'new secret');
	const [callback, event] = deliveries;
	const again = await sandbox.resend(event?.id ?? '');
	await sandbox.resend(callback?.id ?? '');

	expect(again).toMatchObject({ kind: 'event', resendOf: event?.id, status: 'delivered' });
	const at = (url: string) => receiver.received.filter((request) => request.url === url);
	expect(at('/new/')[0]?.body).toEqual(at('/old/')[0]?.body);
	expect(at('/new/')[0]?.headers['x-webhook-signature']).toBe(
		hmac(at('/old/')[0]?.body ?? Buffer.alloc(0), 'new secret'),
	);
	expect(at('/paid')).toHaveLength(2);
	expect(at('/paid')[1]?.body).toEqual(at('/paid')[0]?.body);
});

test('says what it cannot send again, and what it cannot pay', async () => {
	await expect(sandbox.resend('77')).rejects.toThrow(NotPossible);
	await expect(sandbox.pay('none')).rejects.toThrow(PaymentRejected);
	await createPage({ isFixedAmount: true, amount: 0 });
	await expect(sandbox.pay('a')).rejects.toThrow('amount');
	expect(sandbox.state.payments).toEqual([]);
});
