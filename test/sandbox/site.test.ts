import { startSandbox } from '../../sandbox';
import { projectRoot } from '../../scripts/shared/root';
import { capture } from '../../scripts/shared/subprocess';
import { json, useSandbox } from './wire';

/** The sandbox's own API and the command that starts it; its pages are asked in a browser. */
const sandbox = useSandbox();

beforeEach(async () => {
	const webhookUrl = `${sandbox.receiver.baseUrl}/hook?token=url-token`;
	await sandbox.register(webhookUrl, 'hook-secret-of-a-test');
	await sandbox.create({ paymentPageLinkReference: 'a/b', amount: 5, isPhoneNumberRequired: true });
});

test('lists pages with whole numbers as text, and shows no secret and no token', async () => {
	const list = async (what: string) => json(await sandbox.read(`/sandbox/${what}`));
	const merchantId = '1002003004005006007';
	expect(await list('pages')).toMatchObject([{ id: '1', merchantId }]);
	expect(await list('registration')).toMatchObject({ merchantId, secret: 'hook…' });
	const body = expect.stringContaining(`"merchantId":${merchantId}`);
	expect(await list('requests')).toMatchObject([
		{ keyUsed: 'apiKey' },
		{ keyUsed: 'privateKey', body },
	]);
	const { text } = await sandbox.read('/');
	expect(text).toContain('/hook/?token=…');
	expect(text).not.toMatch(/url-token|hook-s/);
});

test('pays, sends a delivery again, and forges one', async () => {
	const paid = await sandbox.submit('/sandbox/pay/a%2Fb', { amount: 7, phoneNumber: '123' });
	expect(json(paid)).toMatchObject({ payment: { amount: 7, phoneNumber: '123' } });
	await sandbox.submit(`/sandbox/deliveries/${sandbox.service.state.deliveries[0]?.id}/resend`, '');
	await sandbox.submit('/sandbox/forge', { kind: 'unsigned', reference: 'x' });
	await sandbox.submit('/sandbox/forge', 'kind=unsigned&keepToken=true');
	const { requests } = sandbox.receiver;
	const genuine = '/hook/?token=url-token';
	expect(requests.map(({ url }) => url)).toEqual([genuine, genuine, '/hook/', genuine]);
	expect(requests[1]?.body).toBe(requests[0]?.body);
});

test.each([
	[{ signing: { mode: 'rot13' } }, 'mode'],
	[{ merchantID: '5' }, 'additional'],
	[{ faults: [{ endpoint: 'delete', kind: 'html' }] }, 'endpoint'],
	[{ faults: [{ endpoint: 'create', kind: 'fire' }] }, 'kind'],
	[{ faults: [{ endpoint: 'create', kind: 'html', rate: 2 }] }, 'rate'],
])('rejects the settings %j', async (wrong, words) => {
	const { settings } = sandbox.service;
	const answer = await sandbox.submit('/sandbox/settings', wrong);
	expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)]);
	expect(sandbox.service.settings).toBe(settings);
	await expect(startSandbox({ merchantId: '12a' })).rejects.toThrow('merchantId');
});

test('changes settings in part, and a reset goes back to the start', async () => {
	const { settings } = sandbox.service;
	await sandbox.submit('/sandbox/settings', { signing: { encoding: 'base64' }, apiKey: 'new' });
	const changed = { apiKey: 'new', signing: { mode: 'hmac', encoding: 'base64' } };
	expect(sandbox.service.settings).toMatchObject(changed);
	const form = 'mode=secretInHeader&header=X-Key&algorithm=sha512&encoding=hex&signedContent=body';
	await sandbox.submit('/sandbox/signing', `${form}&timestampHeader=X-Time&prefix=`);
	await sandbox.service.pay('a/b');
	expect(sandbox.receiver.requests[0]?.headers['x-key']).toBe('hook-secret-of-a-test');
	await sandbox.submit('/sandbox/reset', '');
	expect(sandbox.service.settings).toEqual(settings);
	expect(sandbox.service.state).toMatchObject({ registration: null, requests: [], deliveries: [] });
	expect(json(await sandbox.create())).toMatchObject({ data: { id: 1 } });
});

test('the command says what is wrong with its port', async () => {
	const environment = { ...process.env, SANDBOX_PORT: 'http' };
	const args = ['--import', 'tsx', 'scripts/sandbox.ts'];
	expect(await capture(process.execPath, args, { folder: projectRoot, environment })).toEqual({
		output: 'SANDBOX_PORT must be a port number, but it is "http".\n',
		code: 1,
	});
});
