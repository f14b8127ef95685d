import fc from 'fast-check';
import {
	LosslessNumber,
	parse as losslessParse,
	stringify as losslessStringify,
} from 'lossless-json';

import { parseExactJson } from '../../nodes/shared/exactJson';

describe('parseExactJson', () => {
	test.each([
		['[9007199254740991, 9007199254740992]', [9007199254740991, '9007199254740992']],
		['[1e21, 1e400]', [1e21, '1e400']],
		['[1, {"a": [9007199254740995 ]}]', [1, { a: ['9007199254740995'] }]],
		['{"\\"9007199254740993":9007199254740993}', { '"9007199254740993': '9007199254740993' }],
		['["\\\\",9007199254740993,"\\\\\\""]', ['\\', '9007199254740993', '\\"']],
	])('%s', (text, value) => {
		expect(parseExactJson(text)).toEqual(value);
	});

	test('rejects what is no JSON', () => {
		const digits = '9007199254740993';
		for (const text of ['', '{', `{"a":${digits}`, `[${digits},]`, `0${digits}`, 'NaN'])
			expect(() => parseExactJson(text)).toThrow(SyntaxError);
	});

	const number = /^-?(0|[1-9][0-9]{0,25})((\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?)?$/;
	const parts = ['9007199254740993', '"', '\\', ',', ':', '{', '}', '1e999', '😀', '\n'];
	const confusing = fc.string({ unit: fc.constantFrom(...parts) });
	const text = fc.oneof(fc.string({ unit: 'binary' }), confusing);
	/**
	 * Left out as a key: `__proto__`, and every name that JSON writes with a backslash. The
	 * JSON.parse of Node 24.21 itself takes such names for each other: after `{"\\":1}` it reads
	 * the key of `{"\n":1}` as a backslash.
	 */
	const key = text.filter((name) => name !== '__proto__' && JSON.stringify(name) === `"${name}"`);
	const { json } = fc.letrec((tie) => ({
		json: fc.oneof(
			{ depthSize: 'small' },
			text,
			fc.constantFrom(true, false, null),
			fc.stringMatching(number).map((token) => new LosslessNumber(token)),
			fc.array(tie('json'), { maxLength: 5 }),
			fc.dictionary(key, tie('json'), { maxKeys: 5 }),
		),
	}));

	function parseNumber(token: string): number | string {
		const value = Number(token);
		if (/^-?\d+$/.test(token)) return Number.isSafeInteger(value) ? value : token;
		return Number.isFinite(value) ? value : token;
	}

	test('agrees with a parser that keeps every digit, for any JSON', () => {
		fc.assert(
			fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
				const written = losslessStringify(value, null, space) ?? 'null';
				expect(parseExactJson(written)).toEqual(losslessParse(written, null, { parseNumber }));
			}),
			{ numRuns: 2000 },
		);
	});

	test.each([
		['escapes', '\\"'],
		['backslashes', '\\\\'],
		['digits', '12345678'],
		['numbers in quotes', '\\"9007199254740993\\",'],
	])('takes a text of 5 MB full of %s beside 200,000 numbers', (_what, part) => {
		const long = `"${part.repeat(Math.ceil(5_000_000 / part.length))}"`;
		const numbers = Array<string>(200_000).fill('9007199254740993');
		const [first, ...others] = parseExactJson(`[${long},${numbers.join(',')}]`) as unknown[];
		expect(first === JSON.parse(long)).toBe(true);
		expect(others.join() === numbers.join()).toBe(true);
	});
});
