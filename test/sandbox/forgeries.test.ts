import { createHmac } from 'node:crypto';
import { forgeries, forgeryKinds } from '../../sandbox';
import type { ServerRequest } from '../support/answeringServer';
import { useSandbox } from './wire';

/** Forgeries are worth something only if nothing but what they are meant to spoil is wrong. */
const sandbox = useSandbox();

const secret = 'a secret of the merchant';
const token = 'aB3dE6gH9jK2';

beforeEach(() => sandbox.register(`${sandbox.receiver.baseUrl}/hook?a=b&token=${token}`, secret));

const header = ({ headers }: ServerRequest, name: string) => String(headers[name]);

/** What a sound receiver would take for a proof, written without the sandbox's own code. */
function proofs(request: ServerRequest): string[] {
	const { searchParams } = new URL(request.url, sandbox.receiver.baseUrl);
	const timestamp = header(request, 'x-webhook-timestamp');
	const isFresh = Math.abs(Number(timestamp) - Date.now() / 1000) < 300;
	const sign = (content: string) => createHmac('sha256', secret).update(content).digest('hex');
	const found = searchParams.getAll('token').includes(token) ? ['token'] : [];
	for (const value of header(request, 'x-webhook-signature').split(', ')) {
		if (value === secret) found.push('secret');
		if (value.toLowerCase() === sign(request.body)) found.push('body');
		if (isFresh && value === sign(`${timestamp}.${request.body}`)) found.push('timestamp.body');
	}
	return found;
}

async function forged(kind: (typeof forgeryKinds)[number], keepToken = false) {
	await sandbox.service.forge(kind, { keepToken, reference: 'invoice-1' });
	const request = sandbox.receiver.requests.at(-1);
	if (!request) throw new Error('Nothing was sent.');
	return request;
}

test.each(forgeryKinds)('%s has no proof, or a right one in an odd form', async (kind) => {
	const request = await forged(kind);
	const { mustBeRejected } = forgeries[kind];
	expect(proofs(request)).toEqual(mustBeRejected ? [] : expect.arrayContaining(['body']));
	expect(request.url).toContain('a=b');
	expect(JSON.parse(request.body)).toMatchObject({ paymentPageLinkReference: 'invoice-1' });
	if (!mustBeRejected || /token/i.test(kind)) return;
	expect(proofs(await forged(kind, true))).toEqual(['token']);
});

test.each([
	['unsigned', /^undefined$/],
	['signatureEmpty', /^$/],
	['twoWrongSignatures', /^\w{64}, \w{64}$/],
	['wrongAndRightSignature', /^\w{64}, \w{64}$/],
	['signatureNotAscii', /^é{64}$/],
	['signatureTooLong', /^\w{4064}$/],
	['secretPrefix', /^a secret of$/],
] as const)('%s has the odd signature that it is meant to have', async (kind, form) => {
	expect(header(await forged(kind), 'x-webhook-signature')).toMatch(form);
});

test('a real event has two proofs, and a cut token is otherwise the right one', async () => {
	await sandbox.create({ paymentPageLinkReference: 'a' });
	await sandbox.service.pay('a');
	expect(sandbox.receiver.requests.map(proofs)).toEqual([['token', 'body']]);
	expect((await forged('tokenCut')).url).toBe('/hook/?a=b&token=aB3dE6gH9jK');
});
