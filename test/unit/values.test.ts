import fc from 'fast-check';

import { fieldsOf, toPageBody, type PageField } from '../../nodes/PaymentPage/fields/pageFields';
import { cleanBaseUrl, cleanKey } from '../../nodes/shared/credential';
import { ExactNumber } from '../../nodes/shared/exactJson';
import { isBlank, toWebAddress, toWholeNumber, trimmed } from '../../nodes/shared/values';

/** What holds of every value of a field; examples are in `test/engine/create.test.ts`. */

const fields = [...fieldsOf('create'), ...fieldsOf('update')];

function convert(field: PageField, value: unknown) {
	const converted = toPageBody(fields, { [field]: value })[field];
	return converted instanceof ExactNumber ? converted.digits : converted;
}

describe('blanks', () => {
	/** What copying leaves around a value: ordinary, no-break, wide, zero-width, line ends, marks. */
	const signs =
		' |\t|\n|\r\n|\u0085|\u00a0|\u2003|\u2028|\u202f|\u3000|\u00ad|\u200b|\u200c|\u200d|\u200e|' +
		'\u200f|\u202a|\u2060|\ufeff|\u061c|\u180e|\u202e|\u2064|\u2066|\u206a|\u206f';
	const blanks = fc.string({ unit: fc.constantFrom(...signs.split('|')), maxLength: 5 });
	const of = (field: PageField) => (value: string) => convert(field, value);

	test.each<[string, (value: string) => unknown, string]>([
		['a reference', of('paymentPageLinkReference'), 'in 17'],
		['an e-mail address', of('notificationEmail'), 'owner@shop.example'],
		['the link of a page', of('paymentPageLink'), 'https://pay.shop.example/a'],
		['a callback URL', of('callBackUrl'), 'https://shop.example/paid?a=b'],
		['a page ID', of('id'), '9223372036854775807'],
		['an amount', of('amount'), '49.90'],
		['a switch', of('isTestMode'), 'true'],
		['a web address', (value) => toWebAddress('Webhook URL', value), 'https://shop.example'],
		['an ID of the credential', (value) => toWholeNumber('Merchant ID', value), '17'],
		['a key', (value) => cleanKey('API Key', value), 'a-key'],
		['a base URL', cleanBaseUrl, 'https://api.service.example/v1'],
	])('are trimmed around %s', (_name, read, value) => {
		const around = (before: string, after: string) =>
			expect(read(`${before}${value}${after}`)).toEqual(read(value));
		fc.assert(fc.property(blanks, blanks, around));
	});

	test('are no value alone, and stay inside a text and around one that people read', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), blanks, (text, inside) => {
				expect(isBlank(inside)).toBe(true);
				expect(trimmed(`x${text}${inside}x`)).toBe(`x${text}${inside}x`);
				expect(text).toContain(trimmed(text));
				expect(convert('pageName', `${inside}x`)).toBe(`${inside}x`);
			}),
		);
	});

	test('are neither signs that are seen, nor 0, false or what is empty', () => {
		for (const sign of ['\u0600', '\u06dd', '🏴\u{e0067}\u{e0062}\u{e007f}'])
			expect(trimmed(sign)).toBe(sign);
		expect([0, false, 'x', [], {}].filter(isBlank)).toEqual([]);
	});

	test('and zeros in a long row are read at once', () => {
		expect(trimmed(`a${' '.repeat(500_000)}b`)).toHaveLength(500_002);
		expect(convert('id', `${' '.repeat(500_000)}1`)).toBe('1');
		expect(() => convert('amount', `${'0'.repeat(200_000)}x`)).toThrow(/^'Amount' /);
	});
});

describe('an amount', () => {
	const amountOf = (value: unknown) => String(convert('amount', value));

	test('is rejected as text that reads in two ways, and sent as a number', () => {
		const twoWays = fc.stringMatching(/^[1-9][0-9]{0,2}[.,][0-9]{3}$/);
		fc.assert(
			fc.property(twoWays, (text) => {
				const value = Number(text.replace(',', '.'));
				const ways = `'Amount' is unclear: "${text}" can mean ${text.replace(/\D/, '')} or ${value}`;
				expect(() => amountOf(text)).toThrow(ways);
				expect(Number(amountOf(value))).toBe(value);
				// What it advises is clear.
				expect(amountOf(`${text}0`)).toBe(`${text.replace(',', '.')}0`);
			}),
		);
	});

	test('is read as text that reads in one way, with or without groups, whatever the signs', () => {
		const signs = ['|.', '.|,', ',|.', ' |,', "'|.", '\u202f|,'].map((pair) => pair.split('|'));
		const whole = fc.oneof(fc.nat(2000), fc.integer({ min: 0, max: 2 ** 45 }));
		const decimals = fc.stringMatching(/^[0-9]{0,12}$/);
		fc.assert(
			fc.property(whole, decimals, fc.constantFrom(...signs), (units, cents, [group, decimal]) => {
				const grouped = String(units).replace(/\B(?=(\d{3})+$)/g, group ?? '');
				const text = cents === '' ? grouped : `${grouped}${decimal}${cents}`;
				// The other way to read it is asked above.
				fc.pre(!/^[1-9]\d{0,2}[.,]\d{3}$/.test(text));
				expect(amountOf(text)).toBe(cents === '' ? String(units) : `${units}.${cents}`);
			}),
			{ numRuns: 500 },
		);
	});

	test('never means another number than a person reads, whatever the text', () => {
		const unit = fc.constantFrom(...Array.from("0123456789., '"));
		fc.assert(
			fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
				fc.pre(text.trim() !== '');
				let digits: string;
				try {
					digits = amountOf(text);
				} catch {
					return;
				}
				// The same digits in the same order, and the decimals after the last sign.
				expect(digits.replace('.', '')).toBe(text.replace(/\D/g, ''));
				if (!digits.includes('.')) return;
				expect(digits.split('.')[1]).toBe(/[.,](\d+)\s*$/.exec(text)?.[1]);
			}),
			{ numRuns: 2000 },
		);
	});

	test('as a number is sent as it was written, or calculated, without the noise of fractions', () => {
		const units = fc.integer({ min: 0, max: 999_999_999_999_999 });
		const cents = fc.integer({ min: 1, max: 9_999_999 });
		const percent = fc.integer({ min: 100, max: 199 });
		fc.assert(
			fc.property(units, fc.nat(4), cents, percent, (whole, decimals, price, rate) => {
				// At most 15 significant digits.
				const number = Number((whole / 10 ** decimals).toFixed(decimals));
				expect(amountOf(number)).toBe(String(number));
				const product = amountOf((price / 100) * (rate / 100));
				expect(product).toBe(String((price * rate) / 10_000));
				expect(amountOf(price / 100 + rate / 100)).toBe(String((price + rate) / 100));
			}),
			{ numRuns: 1000 },
		);
	});
});

test('what is no text is rejected', () => {
	for (const value of [[], {}, NaN, Infinity, 10n, () => ''])
		expect(() => convert('description', value)).toThrow("'Description' must be text");
});

test('additional fields are encoded exactly once, however often they were before', () => {
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
	for (const text of ['true', 'null', '""', '"17"'])
		expect(convert('additionalFields', text)).toBe(text);
});

test('a whole number from 0 to 2^63 - 1 keeps every digit', () => {
	fc.assert(
		fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (value) => {
			expect(toWholeNumber('Page ID', `00${value}`).digits).toBe(String(value));
		}),
	);
	for (const wrong of ['+1', '1e3', '9'.repeat(10_000), -1, NaN, Infinity])
		expect(() => toWholeNumber('Page ID', wrong)).toThrow(/^Page ID (must|is too large)/);
	for (const blank of ['', ' ', null, undefined])
		expect(() => toWholeNumber('Page ID', blank)).toThrow('Page ID is empty');
});
