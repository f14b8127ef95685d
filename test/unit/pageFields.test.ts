import fc from 'fast-check';

import { ExactNumber } from '../../nodes/shared/exactJson';
import { InvalidFieldError } from '../../nodes/shared/invalidFieldError';
import { createFields, toPageBody, updateFields } from '../../nodes/shared/pageFields';

/** One field of a body. */
function convert(field: 'amount' | 'isTestMode' | 'additionalFields' | 'pageName', value: unknown) {
	const converted = toPageBody([field], { [field]: value })[field];
	return converted instanceof ExactNumber ? converted.digits : converted;
}

test('the fields are those of the interface', () => {
	const both = [
		'additionalFields',
		'amount',
		'businessName',
		'callBackUrl',
		'description',
		'isFixedAmount',
		'isPhoneNumberRequired',
		'isTestMode',
		'merchantId',
		'notificationEmail',
		'pageName',
		'paymentPageLink',
		'paymentPageLinkReference',
		'successMessage',
	];
	expect([...createFields].sort()).toEqual([...both, 'pageType'].sort());
	expect([...updateFields].sort()).toEqual([...both, 'id', 'isDeleted'].sort());
});

test('leaves blanks out, keeps a deliberate 0 and false, and ignores what the request has not', () => {
	const values = {
		pageName: 'A',
		description: ' ',
		businessName: null,
		successMessage: undefined,
		amount: 0,
		isTestMode: false,
		isDeleted: true,
		pageType: 'x',
	};
	expect(toPageBody(createFields, values)).toEqual({
		pageName: 'A',
		amount: new ExactNumber('0'),
		isTestMode: false,
		pageType: 'x',
	});
	expect(toPageBody(updateFields, { ...values, ...{ crmOwner: 'Kim' } })).toEqual({
		pageName: 'A',
		amount: new ExactNumber('0'),
		isTestMode: false,
		isDeleted: true,
	});
});

describe('amount', () => {
	test.each([
		[0, '0'],
		['0', '0'],
		['000', '0'],
		['0.10', '0.10'],
		['007.50', '7.50'],
		['+5', '5'],
		[49.9, '49.9'],
		['9007199254740991.99', '9007199254740991.99'],
	])('%j is sent as %s', (value, digits) => {
		expect(convert('amount', value)).toBe(digits);
	});

	test.each([
		'1,000',
		'1.000,50',
		'1 000',
		'abc',
		'-1',
		-0.01,
		'1e3',
		1e21,
		1e-7,
		'.5',
		'5.',
		'5 €',
		'0x10',
		'٣',
		'9007199254740992',
		NaN,
		Infinity,
		true,
		[1],
	])('%j is refused', (value) => {
		expect(() => convert('amount', value)).toThrow(
			/^amount must be a number such as 49\.90, but is /,
		);
	});

	test('is a JSON number that has the value of the text, whatever number it was', () => {
		fc.assert(
			fc.property(fc.nat(), fc.stringMatching(/^[0-9]{0,12}$/), (whole, fraction) => {
				const text = fraction === '' ? String(whole) : `${whole}.${fraction}`;
				const digits = String(convert('amount', text));
				expect(JSON.parse(digits)).toBe(Number(text));
			}),
		);
	});

	test('is quick with a long text', () => {
		const started = performance.now();
		expect(() => convert('amount', `${'0'.repeat(200_000)}x`)).toThrow(InvalidFieldError);
		expect(performance.now() - started).toBeLessThan(1000);
	});
});

describe('booleans', () => {
	test.each([
		[true, true],
		[false, false],
		['true', true],
		[' FALSE ', false],
	])('%j is %j', (value, expected) => {
		expect(convert('isTestMode', value)).toBe(expected);
	});

	test.each(['yes', '1', 1, 0, [], {}])('%j is refused', (value) => {
		expect(() => convert('isTestMode', value)).toThrow(
			/^isTestMode must be true or false, but is /,
		);
	});
});

describe('additionalFields', () => {
	test.each([
		[[], '[]'],
		[{ a: [1] }, '{"a":[1]}'],
		['[]', '[]'],
		['{"a": 1}', '{"a": 1}'],
		['"[1]"', '[1]'],
		['"\\"[1]\\""', '[1]'],
	])('%j is sent as %j', (value, text) => {
		expect(convert('additionalFields', value)).toBe(text);
	});

	test.each(['[', 'words', '17', 'true', 'null', '""', '"17"', 17, true])(
		'%j is refused',
		(value) => {
			expect(() => convert('additionalFields', value)).toThrow(
				/^additionalFields must be a JSON list or object, but is /,
			);
		},
	);

	test('is refused when a whole number inside has lost digits', () => {
		const values = [{ order: JSON.parse('12345678901234567890') as number }];
		expect(() => convert('additionalFields', values)).toThrow('too large to be exact');
		expect(convert('additionalFields', [{ order: '12345678901234567890' }])).toBe(
			'[{"order":"12345678901234567890"}]',
		);
	});

	test('is encoded exactly once, however often it was encoded before', () => {
		const value = fc
			.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
			.filter((given) => !/\d{16}|e\+/.test(JSON.stringify(given)));
		fc.assert(
			fc.property(value, fc.nat(3), (given, times) => {
				let text: unknown = given;
				for (let count = 0; count < times; count++) text = JSON.stringify(text);
				expect(convert('additionalFields', text)).toBe(JSON.stringify(given));
			}),
		);
	});
});

test('names the field that is wrong, and shows an excerpt of its value', () => {
	const long = 'x'.repeat(1000);
	expect(() => toPageBody(createFields, { pageName: 'A', amount: long })).toThrow(
		`amount must be a number such as 49.90, but is "${'x'.repeat(60)}…"`,
	);
});
