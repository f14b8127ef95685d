import { toOutput } from '../../../nodes/PaymentPageTrigger/webhook/toOutput';
import { deriveListenMark } from '../../../nodes/shared/secrets';
import { secret, token } from './vectors';

const receivedAt = Date.UTC(2024, 1, 29, 12, 30, 0, 7);

function output(
	change: {
		headers?: Record<string, string | string[]>;
		query?: Record<string, unknown>;
		body?: unknown;
	},
	secrets = [secret],
	proof: string | undefined = 'url token',
) {
	const parts = { headers: {}, params: {}, query: {}, body: { event: 'paid' }, ...change };
	return toOutput(parts, secrets, proof, receivedAt);
}

it("has the shape of n8n's own Webhook node, and what was found", () => {
	expect(output({ headers: { 'content-type': 'application/json' }, query: { a: '1' } })).toEqual({
		headers: { 'content-type': 'application/json' },
		params: {},
		query: { a: '1' },
		body: { event: 'paid' },
		verified: true,
		verifiedBy: 'url token',
		receivedAt: '2024-02-29T12:30:00.007Z',
	});
});

it('says that an event was not verified', () => {
	expect(toOutput({ headers: {}, params: {}, query: {}, body: '' }, [], undefined, 0)).toEqual({
		headers: {},
		params: {},
		query: {},
		body: '',
		verified: false,
		verifiedBy: null,
		receivedAt: '1970-01-01T00:00:00.000Z',
	});
});

it('leaves the token out of the query, right or wrong, and keeps the rest', () => {
	expect(output({ query: { token, page: '2' } }).query).toEqual({ page: '2' });
	expect(output({ query: { token: [token, 'x'], tokens: 'x' } }).query).toEqual({ tokens: 'x' });
	expect(output({ query: { listen: 'x', listens: 'x' } }).query).toEqual({ listens: 'x' });
});

it.each([
	['the secret', { 'x-secret': secret }],
	['a prefix and the secret', { authorization: `Bearer ${secret}` }],
	['the secret in quotes', { 'x-secret': `secret="${secret}"` }],
	['the secret among other values', { 'x-secret': ['a', `b ${secret}`] }],
	['the token', { 'x-original-url': `/webhook/1?token=${token}` }],
	['the mark of a test', { 'x-original-url': `/webhook/1?listen=${deriveListenMark(secret)}` }],
	['the token in a cookie', { cookie: `a=b; t=${token}` }],
])('leaves out a header that carries %s', (_, hidden) => {
	expect(output({ headers: { ...hidden, 'user-agent': 'service' } }).headers).toEqual({
		'user-agent': 'service',
	});
});

it('leaves out what carries any of several secrets', () => {
	const headers = { a: 'first secret', b: 'second secret', c: 'third' };
	expect(output({ headers }, ['first secret', 'second secret']).headers).toEqual({ c: 'third' });
});

it('keeps all headers when there is no secret, or an empty one', () => {
	const headers = { a: 'one', b: 'two' };
	expect(output({ headers }, []).headers).toEqual(headers);
	expect(output({ headers }, ['']).headers).toEqual(headers);
});

it('keeps a header named like what every object has', () => {
	const headers = Object.fromEntries([
		['constructor', 'a'],
		['__proto__', 'b'],
	]);
	const shown = output({ headers }).headers as Record<string, unknown>;
	expect(Object.entries(shown)).toEqual([
		['constructor', 'a'],
		['__proto__', 'b'],
	]);
});

it('hides the secret wherever else the sender put it', () => {
	const basic = Buffer.from(`shop:${secret}`).toString('base64');
	const received = output({
		headers: { authorization: `Basic ${basic}`, accept: '*/*' },
		query: { signature: secret, page: '2' },
		body: { event: 'paid', echo: [{ secret }], note: `token ${token}`, blank: '' },
	});
	expect(received).toMatchObject({
		headers: { accept: '*/*' },
		query: { signature: '***', page: '2' },
		body: { event: 'paid', echo: [{ secret: '***' }], note: 'token ***', blank: '' },
	});
	expect(JSON.stringify(received)).not.toContain(basic);
});
