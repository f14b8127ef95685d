import type { ReceivedRequest } from '../../../nodes/PaymentPageTrigger/n8n';
import { readBody, toOutput } from '../../../nodes/PaymentPageTrigger/webhook/output';
import { keysOf, overBody, secret, token } from './vectors';

/** What is left of a request without a proof; the engine's tests assert whole items. */
function output(change: Partial<ReceivedRequest>, secrets = [secret]) {
	const request = {
		method: 'POST',
		headers: {},
		params: {},
		query: {},
		tokens: [token],
		rawBody: Buffer.from('{"event":"paid"}'),
		parsedBody: undefined,
		isForm: false,
		isReadable: true,
		...change,
	};
	return toOutput(request, secrets.map(keysOf), undefined, 0);
}

const right = overBody['sha256 hex'];
const signatures = Object.entries(overBody).map(
	([form, value]): [string, Record<string, string>] => [form, { 'x-signature': `x=${value}` }],
);

test.each<[what: string, hidden: Record<string, string | string[]>]>([
	['the secret', { 'x-secret': secret }],
	['a prefix and the secret', { 'x-secret': `Bearer ${secret}` }],
	['the secret in quotes', { 'x-secret': `secret="${secret}"` }],
	['the secret among other values', { 'x-secret': ['a', `b ${secret}`] }],
	['the secret behind a long text', { 'x-long': `${'a, '.repeat(2_000)}${secret}` }],
	['the token', { 'x-original-url': `/webhook/1?token=${token}` }],
	['the token in a cookie, in upper case', { cookie: `a=b; t=${token.toUpperCase()}` }],
	['any authorization', { authorization: 'Basic YQ==' }],
	['a wrong signature', { 'x-hub-signature': `t=1700000000,v1=${right.replace(/^./, 'f')}` }],
	['two signatures', { 'webhook-signature': `v1,${right} v1,${right}` }],
	...signatures,
])('leaves out a header that carries %s', (_, hidden) => {
	const headers = { ...hidden, 'user-agent': 'service' };
	expect(output({ headers }, ['first secret', secret]).headers).toEqual({
		'user-agent': 'service',
	});
});

test('keeps all other headers, also those named like what every object has', () => {
	const headers = Object.fromEntries(['a', 'constructor', '__proto__'].map((name) => [name, 'b']));
	for (const secrets of [[], [secret]]) {
		const shown = Object.entries(output({ headers }, secrets).headers as object);
		expect(shown).toEqual(Object.entries(headers));
	}
});

test('hides the secret in the query and in the body', () => {
	const body = { [secret]: [secret, { text: `Paid by ${secret}` }], event: 'paid' };
	const rawBody = Buffer.from(JSON.stringify(body));
	expect(output({ rawBody, query: { key: secret, page: '2' } })).toMatchObject({
		body: { '***': ['***', { text: 'Paid by ***' }], event: 'paid' },
		query: { key: '***', page: '2' },
	});
});

function read(content: string | Buffer, parsedBody: unknown = {}, isForm = false) {
	return readBody({ rawBody: Buffer.from(content as string), parsedBody, isForm });
}

const latin = (text: string) => Buffer.from(text, 'latin1');

test.each<[why: string, content: string | Buffer, parsed: unknown, expected: unknown]>([
	['JSON of an unknown type', '{"a":[1,null,"ü"]}', {}, { a: [1, null, 'ü'] }],
	['JSON that n8n took for text', ' {"a":1}\r\n', 'text of it', { a: 1 }],
	['a list as one value', '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
	['an empty list', '[]', {}, []],
	['a text', '"text"', {}, 'text'],
	['a number', '17', {}, 17],
	['null', 'null', {}, null],
	['an empty text', '""', {}, ''],
	['large whole numbers', '{"a":1002003004005006007}', { a: 1 }, { a: '1002003004005006007' }],
	['JSON behind a byte order mark', '\ufeff{"a":1}', {}, { a: 1 }],
	['text behind a byte order mark', '\ufeffplain text', {}, 'plain text'],
	['a form', 'a=1&b=%C3%BC', { a: '1', b: 'ü' }, { a: '1', b: 'ü' }],
	['a form of objects', 'a[b]=1', { a: { b: '1' } }, { a: { b: '1' } }],
	['XML', '<paid><id>7</id></paid>', { paid: { id: '7' } }, { paid: { id: '7' } }],
	['broken JSON', '{"a":', {}, '{"a":'],
	['text', 'NaN', 'NaN', 'NaN'],
	['text of which n8n made nothing', 'NaN', null, 'NaN'],
	['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80]), {}, '//4AgA=='],
	['text that n8n could decode', latin('Zo\xeb'), 'Zoë', 'Zoë'],
	['text that n8n could not', latin('Zo\xeb'), 'Zo\ufffd', 'Wm/r'],
	['text that n8n did not read', latin('Zo\xeb'), '', 'Wm/r'],
	['a form that n8n could decode', latin('name=Zo\xeb'), { name: 'Zoë' }, { name: 'Zoë' }],
	['nothing', '', undefined, ''],
	['nothing, of a known type', '', [], ''],
	['JSON like a multipart form', '{"data":1,"files":{}}', {}, { data: 1, files: {} }],
])('reads %s', (why, content, parsed, expected) => {
	const isForm = why.includes('form');
	expect(read(content, parsed, isForm)).toEqual(expected);
});

test('gives names that every object has as they came', () => {
	const body = read('{"__proto__":{"admin":true},"constructor":1}') as Record<string, unknown>;
	expect(Object.keys(body)).toEqual(['__proto__', 'constructor']);
	expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

test('gives the fields of a multipart form, whose bytes n8n does not keep', () => {
	const parsedBody = { data: { a: '1', b: ['2', '3'] }, files: {} };
	expect(readBody({ rawBody: undefined, parsedBody, isForm: false })).toEqual(parsedBody.data);
});

test('keeps as text what is nested too deep for n8n', () => {
	const nested = (levels: number) => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);
	expect(read(nested(500))).toEqual(JSON.parse(nested(500)));
	for (const levels of [502, 10_000]) {
		expect(read(nested(levels), JSON.parse(nested(levels)))).toBe(nested(levels));
	}
});

// "שלום" in windows-1255, as it is sent and as a browser encodes it.
test.each([
	['bytes', latin('name=\xf9\xec\xe5\xed&ref=7&ref=8&text=a+b')],
	['percent signs', 'name=%F9%EC%E5%ED&&ref=7&ref=8&text=a+b&'],
])('keeps every byte of a form whose encoding n8n does not know: %s', (_, content) => {
	const others = { ref: ['7', '8'], text: 'a b' };
	const parsed = { name: '\ufffd\ufffd\ufffd\ufffd', ...others };
	expect(read(content, parsed, true)).toEqual({ name: '%F9%EC%E5%ED', ...others });
});
