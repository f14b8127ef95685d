import { isBlank, toText } from '../../nodes/shared/values';

test.each(['', ' \t\n', null, undefined])('%j is blank', (value) => {
	expect(isBlank(value)).toBe(true);
});

test.each([0, false, 'x', [], {}])('%j is not blank', (value) => {
	expect(isBlank(value)).toBe(false);
});

describe('text', () => {
	test.each([
		['a', 'a'],
		[' a ', ' a '],
		[17, '17'],
		[1.5, '1.5'],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
	])('%j is %j', (value, expected) => {
		expect(toText('Page Name', value)).toBe(expected);
	});

	test.each([[['a']], [{ a: 1 }], [NaN], [Infinity], [2 ** 53], [undefined], [null], [true]])(
		'%j is refused',
		(value) => {
			expect(() => toText('Page Name', value)).toThrow(/^Page Name /);
		},
	);
});
