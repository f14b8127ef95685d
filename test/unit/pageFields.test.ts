import fc from 'fast-check';

import { ExactNumber } from '../../nodes/shared/exactJson';
import { InvalidFieldError } from '../../nodes/shared/errors';
import { fieldsOf, toPageBody } from '../../nodes/PaymentPage/fields/pageFields';

const createFields = fieldsOf('create');
const updateFields = fieldsOf('update');

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
		['0.10', '0.10'],
		['7,50', '7.50'],
		['٣', '3'],
		['1 000', '1000'],
		['1.000,50', '1000.50'],
		['+5', '5'],
		[49.9, '49.9'],
		['9007199254740991.99', '9007199254740991.99'],
	])('%j is sent as %s', (value, digits) => {
		expect(convert('amount', value)).toBe(digits);
	});

	test.each([
		'000',
		'007.50',
		'00.125',
		'012.500',
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
		'9007199254740992',
		NaN,
		Infinity,
		true,
		[1],
	])('%j is refused', (value) => {
		expect(() => convert('amount', value)).toThrow(
			/^'Amount' must be a number such as 49\.90, but is /,
		);
	});

	test('is a JSON number that has the value of the text, whatever number it was', () => {
		fc.assert(
			fc.property(fc.nat(), fc.stringMatching(/^[0-9]{0,12}$/), (whole, fraction) => {
				fc.pre(fraction.length !== 3 || whole === 0 || whole > 999);
				const text = fraction === '' ? String(whole) : `${whole}.${fraction}`;
				const digits = String(convert('amount', text));
				expect(JSON.parse(digits)).toBe(Number(text));
			}),
		);
	});

	test('is refused as text that reads in two ways, and sent as a number', () => {
		const group = fc.stringMatching(/^[0-9]{3}$/);
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 999 }),
				group,
				fc.constantFrom('.', ','),
				(whole, thousandths, sign) => {
					const text = `${whole}${sign}${thousandths}`;
					const value = Number(`${whole}.${thousandths}`);
					expect(() => convert('amount', text)).toThrow(
						`'Amount' is unclear: "${text}" can mean ${whole}${thousandths} or ${value}`,
					);
					expect(() => convert('amount', ` +${text}`)).toThrow("'Amount' is unclear");
					expect(Number(convert('amount', value))).toBe(value);
					// What it advises is clear.
					expect(convert('amount', `${text}0`)).toBe(`${whole}.${thousandths}0`);
				},
			),
		);
	});

	test('is read as text with groups and decimals, whatever the signs', () => {
		const signs = fc.constantFrom(['.', ','], [',', '.'], [' ', ','], ["'", '.'], ['\u202f', ',']);
		fc.assert(
			fc.property(
				fc.integer({ min: 1000, max: 2 ** 45 }),
				fc.nat(99),
				signs,
				(whole, cents, pair) => {
					const [group = '', decimal = ''] = pair;
					const fraction = String(cents).padStart(2, '0');
					const text = String(whole).replace(/\B(?=(\d{3})+$)/g, group);
					expect(convert('amount', `${text}${decimal}${fraction}`)).toBe(`${whole}.${fraction}`);
				},
			),
		);
	});

	test('never means another number than a person reads, whatever the text', () => {
		const texts = fc.array(fc.constantFrom(..."0123456789., '".split('')), { maxLength: 12 });
		fc.assert(
			fc.property(texts, (characters) => {
				const text = characters.join('');
				fc.pre(text.trim() !== '');
				let digits = '';
				try {
					digits = String(convert('amount', text));
				} catch {
					return;
				}
				// The same digits in the same order, and the decimals after the last sign.
				expect(digits.replace('.', '')).toBe(text.replace(/\D/g, ''));
				if (digits.includes('.')) {
					expect(digits.split('.')[1]).toBe(/[.,](\d+)\s*$/.exec(text)?.[1]);
				}
			}),
			{ numRuns: 2000 },
		);
	});

	test.each(['0.125', '1000.000', '1000.00', '12.5', '12.50', '12.5000', '0.1'])(
		'%j reads in one way',
		(text) => {
			expect(convert('amount', text)).toBe(text);
		},
	);

	/** An amount as people write it: at most 15 significant digits, as units of the last decimal. */
	const written = fc
		.tuple(fc.integer({ min: 0, max: 999_999_999_999_999 }), fc.nat(4))
		.map(([units, decimals]) => (units / 10 ** decimals).toFixed(decimals));

	test('as a number is sent as it was written', () => {
		fc.assert(
			fc.property(written, (text) => {
				expect(Number(convert('amount', Number(text)))).toBe(Number(text));
				expect(convert('amount', Number(text))).toBe(String(Number(text)));
			}),
			{ numRuns: 1000 },
		);
	});

	test('calculated with is sent without the noise of binary fractions', () => {
		const cents = fc.integer({ min: 1, max: 9_999_999 });
		fc.assert(
			fc.property(cents, fc.integer({ min: 100, max: 199 }), (price, rate) => {
				const product = convert('amount', (price / 100) * (rate / 100));
				expect(product).toBe(String(Number((BigInt(price) * BigInt(rate)).toString()) / 10_000));
				const sum = convert('amount', price / 100 + rate / 100);
				expect(sum).toBe(String((price + rate) / 100));
			}),
			{ numRuns: 1000 },
		);
	});

	test.each([
		[49.9 * 1.19, '59.381'],
		[0.1 + 0.2, '0.3'],
		[1.1 * 3, '3.3'],
		[9007199254740991, '9007199254740991'],
	])('%d is sent as %s', (value, digits) => {
		expect(convert('amount', value)).toBe(digits);
	});

	test('is quick with a long text', () => {
		const started = performance.now();
		expect(() => convert('amount', `${'0'.repeat(200_000)}x`)).toThrow(InvalidFieldError);
		expect(performance.now() - started).toBeLessThan(1000);
	});
});

test('a callback URL is a complete web address', () => {
	const callBackUrl = 'http://localhost:5678/webhook-waiting/17?signature=a%2Bb';
	expect(toPageBody(createFields, { callBackUrl })).toEqual({ callBackUrl });
	for (const wrong of ['shop.example/paid', '/paid', 'https://', 'https://a b', 'mailto:a@b', 17]) {
		expect(() => toPageBody(createFields, { callBackUrl: wrong })).toThrow(
			/^'Callback URL' must be a complete URL, but is /,
		);
	}
});

describe('booleans', () => {
	test.each([
		[true, true],
		[false, false],
		['true', true],
		[' FALSE ', false],
		[1, true],
		['1', true],
		[0, false],
		['0\u00a0', false],
		['Yes', true],
		['no', false],
		['on', true],
		['OFF', false],
	])('%j is %j', (value, expected) => {
		expect(convert('isTestMode', value)).toBe(expected);
	});

	test.each(['maybe', '2', '01', 2, -1, NaN, [], {}])('%j is refused', (value) => {
		expect(() => convert('isTestMode', value)).toThrow(
			/^'Test Mode' must be true or false, but is /,
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

	test.each(['[', 'color=red', '17', 'true', 'null', '""', '"17"'])(
		'%j is sent as it is',
		(text) => {
			expect(convert('additionalFields', text)).toBe(text);
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
		`'Amount' must be a number such as 49.90, but is "${'x'.repeat(60)}…"`,
	);
});
