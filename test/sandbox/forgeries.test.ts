import { createHmac } from 'node:crypto';
import { forgeries, forgeryKinds, NotPossible, type Sandbox, startSandbox } from '../../sandbox';
import { type Received, type Receiver, registerUrl, startReceiver } from './wire';

const secret = 'a secret of the merchant';
const token = 'aB3dE6gH9jK2';
const toleratedSeconds = 300;
let sandbox: Sandbox;
let receiver: Receiver;

beforeAll(async () => {
	[sandbox, receiver] = await Promise.all([startSandbox(), startReceiver(() => 401)]);
});
beforeEach(() => registerUrl(sandbox, `${receiver.url}/hook?a=b&token=${token}`, secret));
afterEach(async () => {
	await sandbox.reset();
	receiver.received.length = 0;
});
afterAll(async () => {
	await sandbox.stop();
	await receiver.stop();
});

function headerValues({ rawHeaders }: Received, name: string): string[] {
	return rawHeaders.filter(
		(_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
	);
}

/** What a sound receiver would take for a proof, written without the sandbox's own code. */
function proofs(request: Received): string[] {
	const found: string[] = [];
	const { searchParams } = new URL(request.url, receiver.url);
	if (searchParams.getAll('token').includes(token)) found.push('token');
	const timestamp = request.headers['x-webhook-timestamp'];
	const isFresh = Math.abs(Number(timestamp) - Date.now() / 1000) < toleratedSeconds;
	const sign = (content: Buffer) => createHmac('sha256', secret).update(content).digest('hex');
	for (const value of headerValues(request, 'x-webhook-signature')) {
		if (value === secret) found.push('secret');
		if (value.toLowerCase() === sign(request.body)) found.push('body');
		const dated = Buffer.concat([Buffer.from(`${String(timestamp)}.`), request.body]);
		if (isFresh && value === sign(dated)) found.push('timestampDotBody');
	}
	return found;
}

async function forged(kind: (typeof forgeryKinds)[number], keepToken = false): Promise<Received> {
	const delivery = await sandbox.forge(kind, { keepToken, reference: 'invoice-1' });
	await sandbox.deliveriesSettled();
	expect(delivery).toMatchObject({ kind: 'forgery', forgery: kind, status: 'failed' });
	const [request, ...more] = receiver.received;
	if (!request) throw new Error(delivery.tries[0]?.error ?? 'nothing was received');
	// A forgery is sent once, though it was answered 401.
	expect(more).toEqual([]);
	return request;
}

test('is told apart by the proofs of this test: a real event has two', async () => {
	const { signing } = sandbox.settings;
	expect(signing).toMatchObject({ mode: 'hmac', algorithm: 'sha256', encoding: 'hex' });
	const body = Buffer.from('{}');
	const signature = createHmac('sha256', secret).update(body).digest('hex');
	expect(
		proofs({
			method: 'POST',
			url: `/hook/?token=${token}`,
			headers: {},
			rawHeaders: ['X-Webhook-Signature', signature],
			body,
			at: 0,
		}),
	).toEqual(['token', 'body']);
});

const refused = forgeryKinds.filter((kind) => forgeries[kind].mustBeRejected);
const eitherWay = forgeryKinds.filter((kind) => !forgeries[kind].mustBeRejected);

test.each(refused)('%s carries no proof', async (kind) => {
	const request = await forged(kind);
	expect(proofs(request)).toEqual([]);
	expect(request.url).toContain('a=b');
	expect(JSON.parse(request.body.toString())).toMatchObject({
		event: 'payment.completed',
		paymentPageLinkReference: 'invoice-1',
	});
});

test.each(eitherWay)('%s carries a right signature in an odd form', async (kind) => {
	expect(proofs(await forged(kind))).toContain('body');
});

test.each(refused.filter((kind) => !/token/i.test(kind)))(
	'%s keeps the right token when asked to, and nothing else is right',
	async (kind) => {
		expect(proofs(await forged(kind, true))).toEqual(['token']);
	},
);

test('sends the odd values as they are meant', async () => {
	const header = async (kind: (typeof forgeryKinds)[number]) => {
		receiver.received.length = 0;
		return headerValues(await forged(kind), 'x-webhook-signature');
	};
	expect(await header('unsigned')).toEqual([]);
	expect(await header('twoWrongSignatures')).toHaveLength(2);
	expect(await header('wrongAndRightSignature')).toHaveLength(2);
	expect((await header('signatureNotAscii'))[0]).toMatch(/^é{64}$/);
	expect((await header('signatureTooLong'))[0]).toHaveLength(4064);
	expect(await header('signatureEmpty')).toEqual(['']);
	expect(secret.startsWith((await header('secretPrefix'))[0] ?? '?')).toBe(true);
});

test('puts the wanted token of another merchant into the address', async () => {
	await sandbox.forge('tokenOfAnotherMerchant', { token: 'theirs' });
	expect(receiver.received[0]?.url).toBe('/hook/?a=b&token=theirs');
	await sandbox.forge('tokenCut');
	expect(receiver.received[1]?.url).toBe('/hook/?a=b&token=aB3dE6gH9jK');
});

test('is not possible without a registration', async () => {
	await sandbox.reset();
	await expect(sandbox.forge('unsigned')).rejects.toThrow(NotPossible);
});
