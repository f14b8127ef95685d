import type { Proof } from '../../../nodes/PaymentPageTrigger/verification/verify';
import { readBody, toOutput } from '../../../nodes/PaymentPageTrigger/webhook/output';
import { algorithms, keysOf, overBody, secret, token } from './vectors';

const receivedAt = Date.UTC(2024, 1, 29, 12, 30, 0, 7);

function output(
	change: {
		headers?: Record<string, string | string[]>;
		query?: Record<string, unknown>;
		body?: unknown;
		tokens?: string[];
	},
	secrets = [secret],
	proof: Proof | null = { kind: 'url token', name: 'url token' },
) {
	const { body = { event: 'paid' }, ...others } = change;
	const request = {
		method: 'POST',
		headers: {},
		params: {},
		query: {},
		tokens: [token],
		rawBody: Buffer.from(JSON.stringify(body)),
		parsedBody: undefined,
		isForm: false,
		isReadable: true,
		...others,
	};
	return toOutput(request, secrets.map(keysOf), proof ?? undefined, receivedAt);
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
	expect(output({}, [], null)).toMatchObject({ verified: false, verifiedBy: null });
});

test('leaves the token out of the query, in whatever form it arrived, and keeps the rest', () => {
	expect(output({ query: { token, page: '2' } }).query).toEqual({ page: '2' });
	const others = { tokens: 'x', cardToken: 'a'.repeat(32), token2: 'b'.repeat(64) };
	for (const spoilt of [{ token: [token, 'x'] }, { '/token': `${token}/` }]) {
		expect(output({ query: { ...spoilt, ...others } }).query).toEqual(others);
	}
	const wrong = 'c'.repeat(32);
	expect(output({ query: { token: wrong }, tokens: [wrong] }).query).toEqual({});
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

test('keeps all headers when no key is known', () => {
	const headers = { a: 'one', b: 'two' };
	expect(output({ headers }, []).headers).toEqual(headers);
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

test.each(algorithms.flatMap((algorithm) => [overBody[algorithm].hex, overBody[algorithm].base64]))(
	'leaves out every header with the form of a signature, right or wrong: %s',
	(signature) => {
		const headers = {
			'x-signature': `sha256=${signature}`,
			'x-hub-signature': `t=1700000000,v1=${signature.replace(/^./, 'f')}`,
			'webhook-signature': `v1,${signature} v1,${signature}`,
			authorization: 'Basic YQ==',
			'x-request-id': '6a1c',
		};
		expect(output({ headers }).headers).toEqual({ 'x-request-id': '6a1c' });
	},
);

test('leaves out a header of any length that carries the secret', () => {
	const headers = { 'x-long': `${'a, '.repeat(2_000)}${secret}`, a: 'b' };
	expect(output({ headers }).headers).toEqual({ a: 'b' });
});

test('hides the secret in the query and in the body', () => {
	const body = { [secret]: [secret, { text: `Paid by ${secret}` }], event: 'paid' };
	expect(output({ body, query: { key: secret, page: '2' } })).toMatchObject({
		body: { '***': ['***', { text: 'Paid by ***' }], event: 'paid' },
		query: { key: '***', page: '2' },
	});
});

/** What n8n gives as the body of a content type that it does not know. */
const unparsed = {};

function read(content: string | Buffer, parsed: unknown = unparsed) {
	return readBody({ rawBody: Buffer.from(content as string), parsedBody: parsed, isForm: false });
}

test('reads JSON whatever n8n made of it', () => {
	expect(read('{"a":[1,null,"ü"]}')).toEqual({ a: [1, null, 'ü'] });
	expect(read(' {"a":1}\r\n', 'text of it')).toEqual({ a: 1 });
});

test('keeps a list one value', () => {
	expect(read('[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }])).toEqual([{ a: 1 }, { a: 2 }]);
	expect(read('[]')).toEqual([]);
});

test.each([
	['"text"', 'text'],
	['17', 17],
	['true', true],
	['null', null],
	['{}', {}],
	['""', ''],
])('reads the JSON value %s', (content, value) => {
	expect(read(content)).toEqual(value);
});

test('keeps every digit of a large whole number', () => {
	expect(read('{"merchantId":1002003004005006007,"small":42}', { merchantId: 1 })).toEqual({
		merchantId: '1002003004005006007',
		small: 42,
	});
});

test('drops a byte order mark', () => {
	expect(read('\ufeff{"a":1}')).toEqual({ a: 1 });
	expect(read('\ufeffplain text')).toBe('plain text');
});

test('takes what n8n made of a form or XML', () => {
	expect(read('a=1&b=%C3%BC', { a: '1', b: 'ü' })).toEqual({ a: '1', b: 'ü' });
	expect(read('<paid><id>7</id></paid>', { paid: { id: '7' } })).toEqual({ paid: { id: '7' } });
});

test.each(['paid: yes', '{"a":', 'undefined', "{'a':1}", '<paid/>', 'NaN'])(
	'keeps text that is no JSON: %s',
	(text) => {
		expect(read(text)).toBe(text);
		expect(read(text, text)).toBe(text);
	},
);

test('gives bytes that are no text as Base64', () => {
	const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
	expect(read(bytes)).toBe('//4AgA==');
});

test('takes what n8n made of text that is not UTF-8, unless that lost something', () => {
	expect(read(Buffer.from('Zo\xeb', 'latin1'), 'Zoë')).toBe('Zoë');
	expect(read(Buffer.from('Zo\xeb', 'latin1'), 'Zo\ufffd')).toBe('Wm/r');
	expect(read(Buffer.from('Zo\xeb', 'latin1'), '')).toBe('Wm/r');
	expect(read(Buffer.from('name=Zo\xeb', 'latin1'), { name: 'Zoë' })).toEqual({ name: 'Zoë' });
});

test.each([[undefined], [null], [''], [unparsed], [[]]])(
	'gives empty text for nothing, whatever n8n made of it: %j',
	(parsed) => {
		expect(read('', parsed)).toBe('');
	},
);

test('gives names that every object has as they came', () => {
	const body = read('{"__proto__":{"admin":true},"constructor":1}') as Record<string, unknown>;
	expect(Object.keys(body)).toEqual(['__proto__', 'constructor']);
	expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

test('gives the fields of a multipart form, whose bytes n8n does not keep', () => {
	const form = { data: { a: '1', b: ['2', '3'] }, files: {} };
	expect(readBody({ rawBody: undefined, parsedBody: form, isForm: false })).toEqual(form.data);
});

test('takes JSON that looks like such a form for what it is', () => {
	const form = { data: { a: '1' }, files: {} };
	expect(read(JSON.stringify(form), form)).toEqual(form);
});

test('keeps as text what is nested too deep for n8n', () => {
	const nested = (levels: number) => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);
	expect(read(nested(500))).toEqual(JSON.parse(nested(500)));
	for (const levels of [502, 10_000]) {
		expect(read(nested(levels), JSON.parse(nested(levels)))).toBe(nested(levels));
	}
});

describe('a form whose encoding n8n does not know', () => {
	// "שלום" in windows-1255, as it is sent and as a browser encodes it.
	test.each([
		['bytes', Buffer.from('name=\xf9\xec\xe5\xed&ref=7&ref=8&text=a+b', 'latin1')],
		['percent signs', Buffer.from('name=%F9%EC%E5%ED&ref=7&ref=8&text=a+b')],
	])('keeps every byte of its names, and reads the rest: %s', (_, rawBody) => {
		const parsedBody = { name: '\ufffd\ufffd\ufffd\ufffd', ref: ['7', '8'], text: 'a b' };
		expect(readBody({ rawBody, parsedBody, isForm: true })).toEqual({
			name: '%F9%EC%E5%ED',
			ref: ['7', '8'],
			text: 'a b',
		});
	});
});
