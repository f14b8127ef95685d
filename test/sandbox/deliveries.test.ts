import { createHmac } from 'node:crypto';
import { useSandbox } from './wire';

/** What the service sends because of a payment. How it signs, the engine tests verify. */
const sandbox = useSandbox({ retry: { firstWaitMilliseconds: 20 } });

test('a callback has the payment, exactly, and an event has it with its own name and ID', async () => {
	const { baseUrl, requests } = sandbox.receiver;
	await sandbox.register(baseUrl);
	const fields = { paymentPageLinkReference: 'a', callBackUrl: `${baseUrl}/paid?order=7` };
	await sandbox.create({ ...fields, isTestMode: true });
	const { payment } = await sandbox.service.pay('a', { phoneNumber: '+49 30 1' });
	const content =
		`"paymentId":"${payment.id}","merchantId":1002003004005006007,"paymentPageId":1,` +
		`"paymentPageLinkReference":"a","pageName":"Page","amount":12.5,"phoneNumber":"+49 30 1",` +
		`"isTestMode":true,"paidAt":"${payment.paidAt}"}`;
	const callback = requests.find(({ url }) => url === '/paid?order=7');
	expect(callback?.body).toBe(`{${content}`);
	expect(callback?.headers['x-webhook-signature']).toBeUndefined();
	const event = requests.find(({ url }) => url === '/')?.body.replace(/[0-9a-f-]{36}/, 'ID');
	expect(event).toBe(`{"event":"payment.completed","eventId":"ID",${content}`);
});

test.each([
	['delivered', [500, 302, 204]],
	['failed', [401, 401, 401, 401, 401]],
])('an event is %s after %j, and can be sent again to the webhook of now', async (end, answers) => {
	const { baseUrl, requests } = sandbox.receiver;
	sandbox.statuses.push(...answers);
	await sandbox.register(baseUrl);
	await sandbox.create({ paymentPageLinkReference: 'a' });
	const [delivery] = (await sandbox.service.pay('a')).deliveries;
	await sandbox.service.deliveriesSettled();
	const tries = answers.map((status) => ({ status }));
	expect(delivery).toMatchObject({ status: end, tries });
	await sandbox.register(`${baseUrl}/new`, 'new secret');
	await sandbox.service.resend(delivery?.id ?? '');
	const [{ body = '' } = {}] = requests;
	expect(requests.map((request) => request.body)).toEqual(Array(answers.length + 1).fill(body));
	const signature = createHmac('sha256', 'new secret').update(body).digest('hex');
	const headers = expect.objectContaining({ 'x-webhook-signature': signature });
	expect(requests.at(-1)).toMatchObject({ url: '/new/', headers });
});
