import { json, useSandbox } from './wire';

/** The sandbox's own API; its pages are asked in a browser. */
const sandbox = useSandbox();

beforeEach(async () => {
	const webhookUrl = `${sandbox.receiver.baseUrl}/hook?token=url-token`;
	await sandbox.register(webhookUrl, 'hook-secret-of-a-test');
	await sandbox.create({ paymentPageLinkReference: 'a/b', isPhoneNumberRequired: true });
});

test('lists pages with whole numbers as text, and shows no secret and no token', async () => {
	const list = async (what: string) => json(await sandbox.read(`/sandbox/${what}`));
	const merchantId = '1002003004005006007';
	expect(await list('pages')).toMatchObject([{ id: '1', merchantId }]);
	expect(await list('registration')).toMatchObject({ merchantId, secret: 'hook…' });
	const { text } = await sandbox.read('/');
	expect(text).toContain('/hook/?token=…');
	expect(text).not.toMatch(/url-token|hook-s/);
});

test('changes settings, pays, sends again, forges, and goes back to the start', async () => {
	const { settings } = sandbox.service;
	await sandbox.submit('settings', { signing: { mode: 'secretInHeader', header: 'X-Key' } });
	const paid = await sandbox.submit('pay/a%2Fb', { amount: 7, phoneNumber: '123' });
	expect(json(paid)).toMatchObject({ payment: { amount: 7, phoneNumber: '123' } });
	await sandbox.submit('deliveries/1/resend', {});
	// A forgery is sent once, though it is rejected.
	sandbox.statuses.push(401);
	await sandbox.submit('forge', { kind: 'unsigned' });
	await sandbox.service.deliveriesSettled();
	const seen = sandbox.receiver.requests.map(({ url, headers }) => [url, headers['x-key']]);
	const genuine = ['/hook/?token=url-token', 'hook-secret-of-a-test'];
	expect(seen).toEqual([genuine, genuine, ['/hook/', undefined]]);
	await sandbox.submit('reset', {});
	expect(sandbox.service.settings).toEqual(settings);
	expect(sandbox.service.state).toMatchObject({ registration: null, requests: [], deliveries: [] });
	expect(json(await sandbox.create())).toMatchObject({ data: { id: 1 } });
});

test.each([
	[{ signing: { mode: 'rot13' } }, 'mode'],
	[{ merchantID: '5' }, 'additional'],
	[{ faults: [{ endpoint: 'create', kind: 'fire' }] }, 'kind'],
	[{ faults: [{ endpoint: 'create', kind: 'html', rate: 2 }] }, 'rate'],
])('rejects the settings %j', async (wrong, words) => {
	const { settings } = sandbox.service;
	const answer = await sandbox.submit('settings', wrong);
	expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)]);
	expect(sandbox.service.settings).toBe(settings);
});
