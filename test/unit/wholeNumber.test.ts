import fc from 'fast-check';

import { InvalidFieldError } from '../../nodes/shared/errors';
import { rejectInexact, toWholeNumber } from '../../nodes/shared/values';

test.each([
	['0', '0'],
	[0, '0'],
	[17, '17'],
	[' 17\n', '17'],
	['00123', '123'],
	['9223372036854775807', '9223372036854775807'],
	[9007199254740991, '9007199254740991'],
])('%j becomes %s', (value, digits) => {
	expect(toWholeNumber('Page ID', value).digits).toBe(digits);
});

test.each([
	'',
	' ',
	'12a',
	'-1',
	-1,
	'+1',
	'1.0',
	1.5,
	'1e3',
	'1 000',
	'１２',
	'9223372036854775808',
	'9'.repeat(10_000),
	NaN,
	Infinity,
	1e21,
	9007199254740992,
	true,
	null,
	undefined,
	{},
	[1],
	[],
])('refuses %j by the name of the field', (value) => {
	expect(() => toWholeNumber('Page ID', value)).toThrow(InvalidFieldError);
	expect(() => toWholeNumber('Page ID', value)).toThrow(/^Page ID /);
});

test('keeps every whole number from 0 to 2^63 - 1', () => {
	fc.assert(
		fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (value) => {
			expect(toWholeNumber('Page ID', String(value)).digits).toBe(String(value));
		}),
	);
});

test('refuses an inexact number and lets all else pass', () => {
	expect(() => rejectInexact('X', 2 ** 53)).toThrow(/^X arrived as a number too large/);
	for (const value of [2 ** 53 - 1, 0.1, '9007199254740993', NaN, null, undefined, {}]) {
		rejectInexact('X', value);
	}
});
