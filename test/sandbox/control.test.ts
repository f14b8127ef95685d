import { type Delivery, type Sandbox, startSandbox } from '../../sandbox';
import { pageFields, post, type Receiver, registerUrl, send, startReceiver } from './wire';

const secret = 'hook-secret-that-is-long';
let sandbox: Sandbox;
let receiver: Receiver;

beforeAll(async () => {
	[sandbox, receiver] = await Promise.all([startSandbox(), startReceiver()]);
});
beforeEach(async () => {
	await registerUrl(sandbox, `${receiver.url}/hook?token=url-token`, secret);
	const fields = { paymentPageLinkReference: 'a/b', amount: 5, isPhoneNumberRequired: true };
	await post(sandbox, 'create', pageFields(sandbox, fields));
});
afterEach(async () => {
	await sandbox.reset();
	receiver.received.length = 0;
});
afterAll(async () => {
	await sandbox.stop();
	await receiver.stop();
});

async function read(path: string): Promise<unknown> {
	return (await send(sandbox.url, path)).json();
}

const command = (path: string, body?: object) =>
	send(sandbox.url, path, {
		method: 'POST',
		headers: body ? { 'content-type': 'application/json' } : {},
		body: body && JSON.stringify(body),
	});

const submit = (path: string, body: string) =>
	send(sandbox.url, path, {
		method: 'POST',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body,
	});

test('lists pages with whole numbers as text, and requests with their bodies', async () => {
	expect(await read('/sandbox/pages')).toMatchObject([
		{ id: '1', merchantId: '1002003004005006007', paymentPageLinkReference: 'a/b' },
	]);
	expect(await read('/sandbox/requests')).toMatchObject([
		{ keyUsed: 'apiKey', status: 200 },
		{ keyUsed: 'privateKey', body: expect.stringContaining('"merchantId":1002003004005006007') },
	]);
});

test('shows where events go, but no secret and no token', async () => {
	expect(await read('/sandbox/registration')).toMatchObject({
		merchantId: '1002003004005006007',
		secret: 'hook…',
	});
	await sandbox.pay('a/b');
	const { text } = await send(sandbox.url, '/');
	expect(text).toContain(`${receiver.url}/hook/?token=…`);
	expect(text).not.toContain('url-token');
	expect(text).not.toContain('hook-s');
});

test('pays, lists deliveries and sends one again', async () => {
	const paid = await command('/sandbox/pay/a%2Fb', { amount: 7, phoneNumber: '123' });
	expect(paid.json()).toMatchObject({
		payment: { amount: 7, phoneNumber: '123' },
		deliveries: [{ kind: 'event', status: 'delivered', tries: [{ status: 200 }] }],
	});
	expect((await command('/sandbox/pay/a%2Fb')).json()).toMatchObject({ payment: { amount: 5 } });
	const [delivery] = (await read('/sandbox/deliveries')) as Delivery[];
	const again = await command(`/sandbox/deliveries/${delivery?.id ?? ''}/resend`);
	expect(again.json()).toMatchObject({ resendOf: delivery?.id, status: 'delivered' });
	expect(receiver.received).toHaveLength(3);
	expect(receiver.received[2]?.body).toEqual(receiver.received[0]?.body);
});

test('forges an event', async () => {
	const answer = await command('/sandbox/forge', { kind: 'unsigned', reference: 'x' });
	expect(answer.json()).toMatchObject({ kind: 'forgery', forgery: 'unsigned' });
	expect(receiver.received[0]).toMatchObject({ url: '/hook/' });
	await command('/sandbox/forge', { kind: 'wrongSecret', keepToken: true });
	expect(receiver.received[1]).toMatchObject({ url: '/hook/?token=url-token' });
});

test.each([
	['/sandbox/pay/none', {}, 422],
	['/sandbox/pay/a%2Fb', { amount: 'much' }, 400],
	['/sandbox/deliveries/77/resend', undefined, 409],
	['/sandbox/forge', { kind: 'magic' }, 400],
	['/sandbox/forge', {}, 400],
	['/sandbox/settings', { signing: { mode: 'rot13' } }, 400],
	['/sandbox/settings', { signing: { header: 'not a name' } }, 400],
	['/sandbox/settings', { merchantId: 5 }, 400],
	['/sandbox/settings', { merchantID: '5' }, 400],
	['/sandbox/settings', { retry: { maximumTries: 0 } }, 400],
])('refuses %s with %j by status %d, in words', async (path, body, status) => {
	const { settings } = sandbox;
	const answer = await command(path, body);
	expect(answer.status).toBe(status);
	expect(answer.json()).toMatchObject({ message: expect.stringMatching(/.{10}/) });
	expect(sandbox.settings).toBe(settings);
});

test('changes settings in part and resets to those of the start', async () => {
	const start = sandbox.settings;
	await command('/sandbox/settings', { signing: { encoding: 'base64' }, apiKey: 'new' });
	expect(sandbox.settings).toMatchObject({
		apiKey: 'new',
		privateKey: 'sandbox-private-key',
		signing: { mode: 'hmac', encoding: 'base64' },
	});
	await command('/sandbox/reset');
	expect(sandbox.settings).toEqual(start);
	expect(sandbox.state).toMatchObject({ registration: null, requests: [], deliveries: [] });
	expect(sandbox.state.pages.size).toBe(0);
	const again = await post(sandbox, 'create', pageFields(sandbox));
	expect(again.json()).toMatchObject({ data: { id: 1 } });
});

test('has forms for signing, forging, resending and resetting', async () => {
	const signing =
		'mode=secretInHeader&header=X-Key&algorithm=sha512&encoding=hex&signedContent=body' +
		'&timestampHeader=X-Time&prefix=';
	expect((await submit('/sandbox/signing', signing)).status).toBe(303);
	expect(sandbox.settings.signing).toMatchObject({ mode: 'secretInHeader', header: 'X-Key' });
	const [event] = (await sandbox.pay('a/b')).deliveries;
	expect(receiver.received[0]?.headers['x-key']).toBe(secret);

	await submit('/sandbox/forge', 'kind=unsigned&keepToken=true');
	expect(receiver.received[1]).toMatchObject({ url: '/hook/?token=url-token' });
	await submit('/sandbox/forge', 'kind=unsigned&keepToken=');
	expect(receiver.received[2]).toMatchObject({ url: '/hook/' });
	await submit(`/sandbox/deliveries/${event?.id ?? ''}/resend`, '');
	expect(receiver.received[3]?.body).toEqual(receiver.received[0]?.body);

	const refused = await submit('/sandbox/deliveries/77/resend', '');
	expect(refused.status).toBe(409);
	expect(refused.text).toContain('There is no delivery 77.');
	expect((await submit('/sandbox/reset', '')).status).toBe(303);
	expect(sandbox.state.pages.size).toBe(0);
});
