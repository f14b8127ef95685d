import { readBody } from '../../../nodes/PaymentPageTrigger/webhook/readBody';

/** What n8n gives as the body of a content type that it does not know. */
const unparsed = {};

function read(content: string | Buffer, parsed: unknown = unparsed) {
	return readBody(Buffer.from(content as string), parsed);
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
	expect(readBody(undefined, form)).toEqual(form.data);
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
