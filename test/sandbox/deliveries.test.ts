import { createHmac } from 'node:crypto';
import { NotPossible, PaymentRejected } from '../../sandbox';
import { useSandbox } from './wire';

/** Payments, and what the service sends because of them. How it signs, the engine tests verify. */
const sandbox = useSandbox({ retry: { firstWaitMilliseconds: 20 } });

const hmac = (body = '', key = 'hook secret') =>
	createHmac('sha256', key).update(body).digest('hex');

const createPage = (fields: object = {}) =>
	sandbox.create({ paymentPageLinkReference: 'a', ...fields });

test('calls the callback and sends a signed event, each with the exact payment', async () => {
	const { baseUrl, requests } = sandbox.receiver;
	sandbox.service.configure({ signing: { prefix: 'sha256=' } });
	await sandbox.register(`${baseUrl}/hook?token=t`);
	await createPage({ callBackUrl: `${baseUrl}/paid?order=7`, isTestMode: true });
	const { payment, deliveries } = await sandbox.service.pay('a', { phoneNumber: '+49 30 1' });
	expect(deliveries).toMatchObject([
		{ kind: 'callback', status: 'delivered' },
		{ kind: 'event', status: 'delivered' },
	]);
	const at = (path: string) => requests.find(({ url }) => url === path);
	const [callback, event] = [at('/paid?order=7'), at('/hook/?token=t')];
	const content =
		`"paymentId":"${payment.id}","merchantId":1002003004005006007,"paymentPageId":1,` +
		`"paymentPageLinkReference":"a","pageName":"Page","amount":12.5,"phoneNumber":"+49 30 1",` +
		`"isTestMode":true,"paidAt":"${payment.paidAt}"}`;
	expect(callback?.body).toBe(`{${content}`);
	expect(callback?.headers['x-webhook-signature']).toBeUndefined();
	expect(event?.body).toMatch(/^\{"event":"payment\.completed","eventId":"[0-9a-f-]{36}",/);
	expect(event?.body).toContain(content);
	expect(event?.headers['x-webhook-signature']).toBe(`sha256=${hmac(event?.body)}`);
});

test.each([
	['delivered', [500, 302, 204]],
	['failed', [401, 401, 401, 401, 401]],
])('is %s after %j, with the same bytes in each try', async (status, answers) => {
	sandbox.statuses.push(...answers);
	await sandbox.register(sandbox.receiver.baseUrl);
	await createPage();
	const { deliveries } = await sandbox.service.pay('a');
	expect(deliveries).toMatchObject([{ status: 'waiting', tries: [{ status: answers[0] }] }]);
	await sandbox.service.deliveriesSettled();
	const tries = answers.map((each) => ({ status: each }));
	expect(deliveries).toMatchObject([{ status, tries }]);
	const bodies = sandbox.receiver.requests.map(({ body }) => body);
	expect(bodies).toEqual(Array(answers.length).fill(bodies[0]));
});

test('logs why there was no answer, waits no longer when reset, sends nothing to nobody', async () => {
	sandbox.service.configure({ retry: { firstWaitMilliseconds: 3_600_000 } });
	await createPage();
	expect((await sandbox.service.pay('a')).deliveries).toEqual([]);
	await sandbox.register('http://127.0.0.1:1');
	const { deliveries } = await sandbox.service.pay('a');
	await sandbox.service.reset();
	const error = expect.stringContaining('ECONNREFUSED');
	expect(deliveries).toMatchObject([{ status: 'failed', tries: [{ status: null, error }] }]);
});

test('sends an event again to the webhook of now, with the same bytes and the secret of now', async () => {
	const { baseUrl, requests } = sandbox.receiver;
	await sandbox.register(`${baseUrl}/old`, 'old secret');
	await createPage();
	const { deliveries } = await sandbox.service.pay('a');
	await sandbox.register(`${baseUrl}/new`, 'new secret');
	const id = deliveries[0]?.id ?? '';
	expect(await sandbox.service.resend(id)).toMatchObject({ resendOf: id, status: 'delivered' });
	const [first, second] = requests;
	expect([second?.url, second?.body]).toEqual(['/new/', first?.body]);
	expect(second?.headers['x-webhook-signature']).toBe(hmac(first?.body, 'new secret'));
});

test('says what it cannot send, and what it cannot pay', async () => {
	await expect(sandbox.service.resend('77')).rejects.toThrow(NotPossible);
	await expect(sandbox.service.forge('unsigned')).rejects.toThrow(NotPossible);
	await expect(sandbox.service.pay('none')).rejects.toThrow(PaymentRejected);
	await createPage({ isFixedAmount: true, amount: 0 });
	await expect(sandbox.service.pay('a')).rejects.toThrow('amount');
	expect(sandbox.service.state.payments).toEqual([]);
});
