import { startSandbox } from '../../sandbox';
import { projectRoot } from '../../scripts/shared/root';
import { capture } from '../../scripts/shared/subprocess';
import { useSandbox } from './wire';

/** The sandbox's own API and the command that starts it; its pages are asked in a browser. */
const sandbox = useSandbox();

beforeEach(async () => {
	await sandbox.register(`${sandbox.receiver.url}/hook?token=url-token`, 'hook-secret-of-a-test');
	await sandbox.create({ paymentPageLinkReference: 'a/b', amount: 5, isPhoneNumberRequired: true });
});

const received = () => sandbox.receiver.received;

test('lists pages with whole numbers as text, and shows no secret and no token', async () => {
	const merchantId = '1002003004005006007';
	const page = { id: '1', merchantId, paymentPageLinkReference: 'a/b' };
	expect((await sandbox.read('/sandbox/pages')).json()).toMatchObject([page]);
	const registration = { merchantId, secret: 'hook…' };
	expect((await sandbox.read('/sandbox/registration')).json()).toMatchObject(registration);
	expect((await sandbox.read('/sandbox/requests')).json()).toMatchObject([
		{ keyUsed: 'apiKey' },
		{ keyUsed: 'privateKey', body: expect.stringContaining(`"merchantId":${merchantId}`) },
	]);
	const { text } = await sandbox.read('/');
	expect(text).toContain('/hook/?token=…');
	expect(text).not.toMatch(/url-token|hook-s/);
});

test('pays, sends a delivery again, and forges one', async () => {
	const paid = await sandbox.submit('/sandbox/pay/a%2Fb', { amount: 7, phoneNumber: '123' });
	expect(paid.json()).toMatchObject({ payment: { amount: 7, phoneNumber: '123' } });
	const id = sandbox.service.state.deliveries[0]?.id ?? '';
	await sandbox.submit(`/sandbox/deliveries/${id}/resend`, '');
	await sandbox.submit('/sandbox/forge', { kind: 'unsigned', reference: 'x' });
	await sandbox.submit('/sandbox/forge', 'kind=unsigned&keepToken=true');
	const urls = received().map(({ url }) => url);
	expect(urls).toEqual([...Array(2).fill('/hook/?token=url-token'), '/hook/', urls[0]]);
	expect(received()[1]?.body).toBe(received()[0]?.body);
});

test('changes settings in part, rejects wrong ones, and a reset goes back to the start', async () => {
	const { settings } = sandbox.service;
	for (const wrong of [{ signing: { mode: 'rot13' } }, { merchantID: '5' }]) {
		const answer = await sandbox.submit('/sandbox/settings', wrong);
		const message = expect.stringMatching(/.{10}/);
		expect([answer.status, answer.json()]).toMatchObject([400, { message }]);
		expect(sandbox.service.settings).toBe(settings);
	}
	await sandbox.submit('/sandbox/settings', { signing: { encoding: 'base64' }, apiKey: 'new' });
	const signing = { mode: 'hmac', encoding: 'base64' };
	expect(sandbox.service.settings).toMatchObject({ apiKey: 'new', signing });
	const form = 'mode=secretInHeader&header=X-Key&algorithm=sha512&encoding=hex&signedContent=body';
	await sandbox.submit('/sandbox/signing', `${form}&timestampHeader=X-Time&prefix=`);
	await sandbox.service.pay('a/b');
	expect(received()[0]?.headers['x-key']).toBe('hook-secret-of-a-test');
	await sandbox.submit('/sandbox/reset', '');
	expect(sandbox.service.settings).toEqual(settings);
	expect(sandbox.service.state).toMatchObject({ registration: null, requests: [], deliveries: [] });
	expect((await sandbox.create()).json()).toMatchObject({ data: { id: 1 } });
});

test('the command prints how to connect, and says what is wrong with its port', async () => {
	const start = (port: string, onOutput?: (text: string) => void) =>
		capture(process.execPath, ['--import', 'tsx', 'scripts/sandbox.ts'], {
			folder: projectRoot,
			environment: { ...process.env, SANDBOX_PORT: port },
			...(onOutput && { onOutput }),
		});
	const { port } = new URL(sandbox.service.url);
	const taken = await start(port);
	expect(taken.output).toMatch(new RegExp(`^Port ${port} is already in use.*SANDBOX_PORT=.*\\n$`));
	const wrong = await start('http');
	const words = 'SANDBOX_PORT must be a port number, but it is "http".\n';
	expect([taken.code, wrong]).toEqual([1, { output: words, code: 1 }]);
	await expect(startSandbox({ port: Number(port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	await expect(startSandbox({ merchantId: '12a' })).rejects.toThrow('merchantId');
});
