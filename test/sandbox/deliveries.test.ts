import { createHmac } from 'node:crypto';
import { NotPossible, PaymentRejected } from '../../sandbox';
import { changeSettings, initialSettings, type SigningSettings } from '../../sandbox/settings';
import { proofHeaders } from '../../sandbox/signing';
import { useSandbox } from './wire';

/** Payments, and what the service sends because of them. */
const sandbox = useSandbox({ retry: { firstWaitMilliseconds: 20 } });

const secret = 'hook secret';

function hmac(body = '', key = secret): string {
	return createHmac('sha256', key).update(body).digest('hex');
}

async function createPage(fields: object = {}): Promise<void> {
	await sandbox.create({ paymentPageLinkReference: 'a', ...fields });
}

test('calls the callback and sends a signed event, each with the exact payment', async () => {
	const { url } = sandbox.receiver;
	await sandbox.register(`${url}/hook?token=t`);
	await createPage({ callBackUrl: `${url}/paid?order=7`, isTestMode: true });
	const { payment, deliveries } = await sandbox.service.pay('a', { phoneNumber: '+49 30 1' });
	const kinds = deliveries.map(({ kind, status }) => [kind, status]);
	expect(kinds).toEqual([
		['callback', 'delivered'],
		['event', 'delivered'],
	]);
	const at = (path: string) => sandbox.receiver.received.find((each) => each.url === path);
	const [callback, event] = [at('/paid?order=7'), at('/hook/?token=t')];
	const content =
		`"paymentId":"${payment.id}","merchantId":1002003004005006007,"paymentPageId":1,` +
		`"paymentPageLinkReference":"a","pageName":"Page","amount":12.5,"phoneNumber":"+49 30 1",` +
		`"isTestMode":true,"paidAt":"${payment.paidAt}"}`;
	expect(callback?.body).toBe(`{${content}`);
	expect(callback?.headers['x-webhook-signature']).toBeUndefined();
	expect(event?.body).toMatch(/^\{"event":"payment\.completed","eventId":"[0-9a-f-]{36}",/);
	expect(event?.body).toContain(content);
	expect(event?.headers['x-webhook-signature']).toBe(hmac(event?.body));
});

test('tries again until it is answered 2xx, with the same bytes, and gives up after some tries', async () => {
	await sandbox.register(sandbox.receiver.url);
	await createPage();
	for (const [answers, status] of [
		[[500, 302, 204], 'delivered'],
		[[401, 401, 401, 401, 401], 'failed'],
	] as const) {
		sandbox.receiver.received.length = 0;
		sandbox.receiver.status = (count) => answers[count - 1] ?? 200;
		const { deliveries } = await sandbox.service.pay('a');
		expect(deliveries[0]).toMatchObject({ status: 'waiting', tries: [{ status: answers[0] }] });
		await sandbox.service.deliveriesSettled();
		expect(deliveries[0]?.status).toBe(status);
		expect(deliveries[0]?.tries.map((each) => each.status)).toEqual(answers);
		const bodies = sandbox.receiver.received.map(({ body }) => body);
		expect(new Set(bodies).size).toBe(1);
	}
});

test('logs why there was no answer, and sends nothing to nobody', async () => {
	await createPage();
	expect((await sandbox.service.pay('a')).deliveries).toEqual([]);
	sandbox.service.configure({ retry: { maximumTries: 1 } });
	await sandbox.register('http://127.0.0.1:1');
	const { deliveries } = await sandbox.service.pay('a');
	const error = expect.stringContaining('ECONNREFUSED');
	expect(deliveries[0]).toMatchObject({ status: 'failed', tries: [{ status: null, error }] });
});

test('ends a wait when it is reset', async () => {
	sandbox.service.configure({ retry: { firstWaitMilliseconds: 3_600_000 } });
	sandbox.receiver.status = () => 500;
	await sandbox.register(sandbox.receiver.url);
	await createPage();
	const { deliveries } = await sandbox.service.pay('a');
	await sandbox.service.reset();
	expect(deliveries[0]).toMatchObject({ status: 'failed', tries: [{ status: 500 }] });
});

test('sends an event again to the webhook of now, with the same bytes and the secret of now', async () => {
	const { url, received } = sandbox.receiver;
	await sandbox.register(`${url}/old`, 'old secret');
	await createPage();
	const { deliveries } = await sandbox.service.pay('a');
	await sandbox.register(`${url}/new`, 'new secret');
	const id = deliveries[0]?.id ?? '';
	expect(await sandbox.service.resend(id)).toMatchObject({ resendOf: id, status: 'delivered' });
	const [first, second] = received;
	expect([second?.url, second?.body]).toEqual(['/new/', first?.body]);
	expect(second?.headers['x-webhook-signature']).toBe(hmac(first?.body, 'new secret'));
});

test('says what it cannot send again, and what it cannot pay', async () => {
	await expect(sandbox.service.resend('77')).rejects.toThrow(NotPossible);
	await expect(sandbox.service.pay('none')).rejects.toThrow(PaymentRejected);
	await createPage({ isFixedAmount: true, amount: 0 });
	await expect(sandbox.service.pay('a')).rejects.toThrow('amount');
	expect(sandbox.service.state.payments).toEqual([]);
});

// Made with openssl, for example:
//   printf '%s' "1700000000.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64 -w0
// and for Standard Webhooks with `-macopt hexkey:`, the bytes that base64 says after "whsec_".
const header = 'X-Webhook-Signature';
const hex = '03bbe9b6db2a11d84de27499a61c2e2db1f09bd3340a4936f71b2f1b2b0b32dc';
test.each<[Partial<SigningSettings>, Record<string, string>]>([
	[{ prefix: 'sha256=' }, { [header]: `sha256=${hex}` }],
	[
		{ encoding: 'base64', signedContent: 'timestampDotBody' },
		{
			[header]: 'b+bBgjHoY+GA4SYXZRoCESjGoH1ZJttNXGe9EnwKxmI=',
			'X-Webhook-Timestamp': '1700000000',
		},
	],
	[{ algorithm: 'sha1' }, { [header]: 'edb201564ddcba1db676309a7b77846e313667ef' }],
	[{ mode: 'secretInHeader', prefix: 'Bearer ' }, { [header]: 'Bearer s3cret ünïcode' }],
	[{ mode: 'none' }, {}],
	[
		{ mode: 'standardWebhooks' },
		{
			'webhook-id': 'msg_e133f3899c9a5374f0f22580',
			'webhook-timestamp': '1700000000',
			'webhook-signature': 'v1,o3a5A/U5O+BlIZwtQNp7OJ4nswMGiTV2htvTFCpgku4=',
		},
	],
])('signs as openssl does: %j', (signing, expected) => {
	const body = '{"event":"payment.completed","amount":12.5,"name":"Zoë"}';
	const isStandard = signing.mode === 'standardWebhooks';
	const key = isStandard ? 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' : 's3cret ünïcode';
	const settings = changeSettings(initialSettings(), { signing });
	expect(proofHeaders(settings.signing, key, body, '1700000000')).toEqual(expected);
});
