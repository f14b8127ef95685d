import { createHmac } from 'node:crypto';
import { forgeries, forgeryKinds, NotPossible } from '../../sandbox';
import { type Receiver, useSandbox } from './wire';

/** Forgeries are worth something only if nothing but what they are meant to spoil is wrong. */
const sandbox = useSandbox();

const secret = 'a secret of the merchant';
const token = 'aB3dE6gH9jK2';

type Received = Receiver['received'][number];
type Kind = (typeof forgeryKinds)[number];

beforeEach(async () => {
	sandbox.receiver.status = () => 401;
	await sandbox.register(`${sandbox.receiver.url}/hook?a=b&token=${token}`, secret);
});

function signatures({ raw }: Received): string[] {
	return raw.filter(
		(_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === 'x-webhook-signature',
	);
}

/** What a sound receiver would take for a proof, written without the sandbox's own code. */
function proofs(request: Received): string[] {
	const found: string[] = [];
	const { searchParams } = new URL(request.url, sandbox.receiver.url);
	if (searchParams.getAll('token').includes(token)) found.push('token');
	const timestamp = String(request.headers['x-webhook-timestamp']);
	const isFresh = Math.abs(Number(timestamp) - Date.now() / 1000) < 300;
	const sign = (content: string) => createHmac('sha256', secret).update(content).digest('hex');
	for (const value of signatures(request)) {
		if (value === secret) found.push('secret');
		if (value.toLowerCase() === sign(request.body)) found.push('body');
		if (isFresh && value === sign(`${timestamp}.${request.body}`)) found.push('timestamp.body');
	}
	return found;
}

async function forged(kind: Kind, keepToken = false): Promise<Received> {
	sandbox.receiver.received.length = 0;
	const delivery = await sandbox.service.forge(kind, { keepToken, reference: 'invoice-1' });
	await sandbox.service.deliveriesSettled();
	expect(delivery).toMatchObject({ kind: 'forgery', forgery: kind, status: 'failed' });
	// A forgery is sent once, though it was answered 401.
	const [request, ...more] = sandbox.receiver.received;
	if (!request || more.length > 0) throw new Error(delivery.tries[0]?.error ?? 'sent twice');
	return request;
}

test('a real event has two proofs', async () => {
	await sandbox.create({ paymentPageLinkReference: 'a' });
	await sandbox.service.pay('a');
	expect(sandbox.receiver.received.map(proofs)[0]).toEqual(['token', 'body']);
});

test.each(forgeryKinds)(
	'%s is an event with no proof, or a right one in an odd form',
	async (kind) => {
		const request = await forged(kind);
		const { mustBeRejected } = forgeries[kind];
		expect(proofs(request)).toEqual(mustBeRejected ? [] : expect.arrayContaining(['body']));
		expect(request.url).toContain('a=b');
		expect(JSON.parse(request.body)).toMatchObject({ paymentPageLinkReference: 'invoice-1' });
		if (!mustBeRejected || /token/i.test(kind)) return;
		expect(proofs(await forged(kind, true))).toEqual(['token']);
	},
);

test('the odd values are as they are meant', async () => {
	expect(signatures(await forged('unsigned'))).toEqual([]);
	expect(signatures(await forged('twoWrongSignatures'))).toHaveLength(2);
	expect(signatures(await forged('wrongAndRightSignature'))).toHaveLength(2);
	expect(signatures(await forged('signatureNotAscii'))[0]).toMatch(/^é{64}$/);
	expect(signatures(await forged('signatureTooLong'))[0]).toHaveLength(4064);
	expect(signatures(await forged('signatureEmpty'))).toEqual(['']);
	expect(secret.startsWith(signatures(await forged('secretPrefix'))[0] ?? '?')).toBe(true);
	expect((await forged('tokenCut')).url).toBe('/hook/?a=b&token=aB3dE6gH9jK');
});

test('without a registration there is nobody to send one to', async () => {
	await sandbox.service.reset();
	await expect(sandbox.service.forge('unsigned')).rejects.toThrow(NotPossible);
});
