import fc from 'fast-check';

import { cleanBaseUrl, cleanKey } from '../../nodes/shared/credential';
import { ExactNumber } from '../../nodes/shared/exactJson';
import { isBlank, toWebAddress, toWholeNumber, trimmed } from '../../nodes/shared/values';
import { fieldsOf, toPageBody } from '../../nodes/PaymentPage/fields/pageFields';

/** What copying leaves around a value: ordinary, no-break, wide, zero-width, line ends, marks. */
const blank = fc.constantFrom(
	...[' ', '\t', '\n', '\r\n', '\u0085', '\u00a0', '\u2003', '\u2028', '\u202f', '\u3000'],
	...['\u00ad', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u2060', '\ufeff'],
	...['\u061c', '\u180e', '\u202e', '\u2064', '\u2066', '\u206a', '\u206f'],
);
const blanks = fc.array(blank, { maxLength: 5 }).map((parts) => parts.join(''));

/** Checks that a value is read alike with any blanks around it. */
function expectTrimmed(read: (value: string) => unknown, value: string): void {
	fc.assert(
		fc.property(blanks, blanks, (before, after) => {
			expect(read(`${before}${value}${after}`)).toEqual(read(value));
		}),
	);
}

const updateFields = fieldsOf('update');

function read(field: (typeof updateFields)[number]) {
	return (value: string) => toPageBody(updateFields, { [field]: value })[field];
}

test.each<[string, (value: string) => unknown, string]>([
	['a reference', read('paymentPageLinkReference'), 'in 17'],
	['an e-mail address', read('notificationEmail'), 'owner@shop.example'],
	['the link of a page', read('paymentPageLink'), 'https://pay.shop.example/a'],
	['a callback URL', read('callBackUrl'), 'https://shop.example/paid?a=b'],
	['a page ID', read('id'), '9223372036854775807'],
	['an amount', read('amount'), '49.90'],
	['a switch', read('isTestMode'), 'true'],
	['a web address', (value) => toWebAddress('Webhook URL', value), 'https://shop.example'],
	['an ID of the credential', (value) => toWholeNumber('Merchant ID', value), '17'],
	['a key', (value) => cleanKey('API Key', value), 'a-key'],
	['a base URL', cleanBaseUrl, 'https://api.service.example/v1'],
])('%s is read without the blanks around it', (_name, readValue, value) => {
	expectTrimmed(readValue, value);
});

test('nothing but blanks is no value', () => {
	fc.assert(fc.property(blanks, (value) => isBlank(value)));
});

test('text that people read is sent as it is, blanks and all', () => {
	expect(read('pageName')(' a\u200b ')).toBe(' a\u200b ');
	expect(read('description')('\n a')).toBe('\n a');
});

test('what is inside a text stays', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), blanks, (text, inside) => {
			expect(trimmed(`x${text}${inside}x`)).toBe(`x${text}${inside}x`);
			expect(text).toContain(trimmed(text));
		}),
	);
});

test.each(['\u0600', '\u06dd', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'])(
	'a sign that is seen stays: %s',
	(sign) => {
		expect(trimmed(sign)).toBe(sign);
	},
);

test('is quick with a long row of blanks', () => {
	const started = performance.now();
	expect(trimmed(`a${' '.repeat(500_000)}b`)).toHaveLength(500_002);
	expect(read('id')(`${' '.repeat(500_000)}1`)).toEqual(new ExactNumber('1'));
	expect(performance.now() - started).toBeLessThan(1000);
});
