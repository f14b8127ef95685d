import fc from 'fast-check';

import { looseReference } from '../../nodes/PaymentPage/resources/paymentPage/looseReference';
import {
	differingFields,
	pageKey,
} from '../../nodes/PaymentPage/resources/paymentPage/create/sentPages';
import { ExactNumber, type RequestBody } from '../../nodes/shared/exactJson';

const letters = Array.from('abzäßéÅñçøİıΣςЖй北ひプ7-_./%');
const blanks = [' ', '\t', '\n', '\u00a0', '\u200b', '\ufeff', '\u2009', '\u00ad'];

describe('a loose reference', () => {
	test('is the same in any case, composition and with any blanks', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom(...letters) }),
				fc.constantFrom(...blanks),
				fc.nat(20),
				(reference, blank, at) => {
					const loose = looseReference(reference);
					const variants = [
						reference.toUpperCase(),
						reference.normalize('NFD'),
						reference.normalize('NFC'),
						`${blank}${reference.slice(0, at)}${blank}${reference.slice(at)}${blank}`,
					];
					for (const variant of variants) expect(looseReference(variant)).toBe(loose);
				},
			),
		);
	});

	test.each([
		['Straße', 'STRASSE'],
		['ＡＢＣ１', 'abc1'],
		['Ångström', 'A\u030angstro\u0308m'],
		['ﬁn', 'FIN'],
	])('is the same of %j and %j', (first, second) => {
		expect(looseReference(first)).toBe(looseReference(second));
	});

	test.each([
		['a-1', 'a1'],
		['a/b', 'a:b'],
		['कि', 'की'],
		['חשבונית', 'חשבונות'],
		['ใบ', 'บ'],
	])('tells %j and %j apart', (first, second) => {
		expect(looseReference(first)).not.toBe(looseReference(second));
	});
});

describe('fields that differ', () => {
	const number = (digits: string) => new ExactNumber(digits);

	test.each<[RequestBody, RequestBody, string[]]>([
		[{}, {}, []],
		[{ amount: number('50') }, { amount: number('50.00') }, []],
		[{ amount: number('0') }, { amount: number('0.0') }, []],
		[{ amount: number('10.50') }, { amount: number('10.5') }, []],
		[{ amount: number('50') }, { amount: number('500') }, ['amount']],
		[{ amount: number('1') }, {}, ['amount']],
		[{}, { isTestMode: false }, ['isTestMode']],
		[{ id: number('9007199254740992') }, { id: number('9007199254740993') }, ['id']],
		[{ pageType: '1' }, { pageType: number('1') }, ['pageType']],
		[{ paymentPageLinkReference: 'a' }, { paymentPageLinkReference: 'A' }, []],
		[
			{ pageName: 'a', successMessage: 'b' },
			{ pageName: 'A', successMessage: 'B' },
			['pageName', 'successMessage'],
		],
	])('of %j and %j are %j', (first, second, fields) => {
		expect(differingFields(first, second)).toEqual(fields);
		expect(differingFields(second, first)).toEqual(fields);
	});
});

test('a page is told apart by base URL, merchant of the credential and reference', () => {
	const key = (baseUrl: string, merchant: string, reference: string) =>
		pageKey(
			{
				baseUrl,
				key: '',
				merchantId: new ExactNumber(merchant),
				webhookSecret: '',
				allowUnauthorizedCerts: false,
			},
			reference,
		);
	const keys = [
		key('https://a.example', '1', 'a'),
		key('https://b.example', '1', 'a'),
		key('https://a.example', '2', 'a'),
		key('https://a.example', '1', 'b'),
		key('https://a.example', '9007199254740992', 'a'),
		key('https://a.example', '9007199254740993', 'a'),
	];
	expect(new Set(keys).size).toBe(keys.length);
	expect(key('https://a.example', '1', 'A')).toBe(keys[0]);
});
