import { toOutput } from '../../../nodes/PaymentPageTrigger/webhook/toOutput';
import type { Proof } from '../../../nodes/PaymentPageTrigger/verification/proof';
import { keysOf, secret, token } from './vectors';

const receivedAt = Date.UTC(2024, 1, 29, 12, 30, 0, 7);

function output(
	change: {
		headers?: Record<string, string | string[]>;
		query?: Record<string, unknown>;
		body?: unknown;
		token?: string;
	},
	secrets = [secret],
	proof: Proof | undefined = { kind: 'url token', name: 'url token' },
) {
	const parts = { headers: {}, params: {}, query: {}, token, body: { event: 'paid' }, ...change };
	return toOutput(parts, secrets.map(keysOf), proof, receivedAt);
}

test("has the shape of n8n's own Webhook node, and what was found", () => {
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

test('says that an event was not verified', () => {
	expect(
		toOutput({ headers: {}, params: {}, query: {}, token, body: '' }, [], undefined, 0),
	).toEqual({
		headers: {},
		params: {},
		query: {},
		body: '',
		verified: false,
		verifiedBy: null,
		receivedAt: '1970-01-01T00:00:00.000Z',
	});
});

test('leaves the token out of the query, in whatever form it arrived, and keeps the rest', () => {
	expect(output({ query: { token, page: '2' } }).query).toEqual({ page: '2' });
	const others = { tokens: 'x', cardToken: 'a'.repeat(32), token2: 'b'.repeat(64) };
	for (const spoilt of [
		{ token: [token, 'x'] },
		{ '/token': `${token}/` },
		{ token: `${token}?x=1` },
	]) {
		expect(output({ query: { ...spoilt, ...others } }).query).toEqual(others);
	}
	const wrong = 'c'.repeat(32);
	expect(output({ query: { token: wrong }, token: wrong }).query).toEqual({});
});

test.each([
	['the secret', { 'x-secret': secret }],
	['a prefix and the secret', { authorization: `Bearer ${secret}` }],
	['the secret in quotes', { 'x-secret': `secret="${secret}"` }],
	['the secret among other values', { 'x-secret': ['a', `b ${secret}`] }],
	['the token', { 'x-original-url': `/webhook/1?token=${token}` }],
	['the token in a cookie', { cookie: `a=b; t=${token}` }],
])('leaves out a header that carries %s', (_, hidden) => {
	expect(output({ headers: { ...hidden, 'user-agent': 'service' } }).headers).toEqual({
		'user-agent': 'service',
	});
});

test('leaves out what carries any of several secrets', () => {
	const headers = { a: 'first secret', b: 'second secret', c: 'third' };
	expect(output({ headers }, ['first secret', 'second secret']).headers).toEqual({ c: 'third' });
});

test('keeps all headers when there is no secret, or an empty one', () => {
	const headers = { a: 'one', b: 'two' };
	expect(output({ headers }, []).headers).toEqual(headers);
	expect(output({ headers }, ['']).headers).toEqual(headers);
});

test('keeps a header named like what every object has', () => {
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

test('leaves out the header that carries the proof, and an authorization of any kind', () => {
	const proof: Proof = {
		kind: 'signature',
		name: 'signature header:x-signature …',
		header: 'x-signature',
	};
	const headers = {
		'x-signature': 'sha256=abc',
		'x-other': 'sha256=abc',
		authorization: 'Basic YQ==',
	};
	expect(output({ headers }, [secret], proof).headers).toEqual({ 'x-other': 'sha256=abc' });
});

test('leaves a parameter out that carries the secret', () => {
	expect(output({ query: { key: secret, page: '2' } }).query).toEqual({ page: '2' });
});

test('passes the body on as it was sent, also where it holds the word that is the secret', () => {
	const body = { [secret]: [secret, { text: `Paid by ${secret}` }], event: 'paid' };
	expect(output({ body }).body).toEqual(body);
	expect(output({ headers: { 'user-agent': `my-${secret}-agent` } }).headers).toEqual({
		'user-agent': `my-${secret}-agent`,
	});
});
