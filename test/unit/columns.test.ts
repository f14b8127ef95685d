import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { columnsOf } from '../../nodes/PaymentPage/resources/paymentPage/mapping/columns';
import { InvalidFieldError } from '../../nodes/shared/errors';
import {
	createFields,
	type PageField,
} from '../../nodes/PaymentPage/resources/paymentPage/pageFields';

const field = fc.constantFrom(...createFields);
const decisive = fc.constantFrom<PageField>('pageName', 'amount', 'paymentPageLinkReference');
const value = fc.oneof(
	fc.string({ minLength: 1 }).map((text) => `x${text}`),
	fc.integer(),
);
const unseen = fc.array(
	fc.constantFrom(...Array.from(' \t\n\u00a0\u00ad\u200b\u200d\u2060\ufeff')),
	{
		maxLength: 3,
	},
);

/** Names that no person takes for that of a field. */
const otherName = fc
	.string({ unit: 'grapheme', maxLength: 20 })
	.map((text) => `crm ${text}`)
	.filter((name) => !/crm\s*$/.test(name));

/** A name as a sheet may have it: with blanks and invisible signs in any place. */
function sprinkled(name: string): fc.Arbitrary<string> {
	const between = fc.array(unseen, { minLength: name.length + 1, maxLength: name.length + 1 });
	return between.map((signs) =>
		signs.map((parts, index) => parts.join('') + name.charAt(index)).join(''),
	);
}

/** A name with another case, and with what people put between words. */
function respelled(name: string): fc.Arbitrary<string> {
	const words = name.split(/(?=[A-Z])/);
	const spelling = fc.constantFrom<(word: string) => string>(
		(word) => word.toLowerCase(),
		(word) => word.toUpperCase(),
		(word) => word.charAt(0).toUpperCase() + word.slice(1),
	);
	return fc
		.tuple(spelling, fc.constantFrom('', ' ', '_', '-', '.', ' / '))
		.map(([spell, separator]) => words.map(spell).join(separator))
		.filter((spelled) => spelled.replace(/\s/g, '') !== name);
}

test('takes the columns that have the name of a field, and no other', () => {
	const table = fc.dictionary(fc.oneof(field, otherName), value);
	fc.assert(
		fc.property(table, (json) => {
			const named = Object.entries(json).filter(([name]) =>
				(createFields as string[]).includes(name),
			);
			expect(columnsOf(json as IDataObject, createFields)).toEqual(Object.fromEntries(named));
		}),
	);
});

test('takes a column whose name has blanks and invisible signs', () => {
	const sprinkledField = field.chain((name) => fc.tuple(fc.constant(name), sprinkled(name)));
	fc.assert(
		fc.property(sprinkledField, value, ([name, column], given) => {
			expect(columnsOf({ [column]: given, 'crm owner': 'Kim' }, createFields)).toEqual({
				[name]: given,
			});
		}),
		{ numRuns: 500 },
	);
});

const respelledField = decisive.chain((name) => fc.tuple(fc.constant(name), respelled(name)));

test('refuses a look-alike of a decisive field by its name', () => {
	fc.assert(
		fc.property(respelledField, value, ([name, column], given) => {
			const read = () => columnsOf({ 'crm owner': 'Kim', [column]: given }, createFields);
			expect(read).toThrow(InvalidFieldError);
			expect(read).toThrow(`(${name}) has no column, but the column "${column}" looks like it`);
		}),
		{ numRuns: 500 },
	);
});

test('ignores a look-alike beside the exact column, and beside a value of the panel', () => {
	fc.assert(
		fc.property(respelledField, value, ([name, column], given) => {
			const exact = columnsOf({ [column]: 'other', [name]: given }, createFields);
			expect(exact).toEqual({ [name]: given });
			expect(columnsOf({ [column]: 'other' }, createFields, { [name]: given })).toEqual({});
		}),
	);
});

test('ignores look-alikes of fields that are not sent or not decisive', () => {
	expect(columnsOf({ Amount: 1 }, ['pageName'])).toEqual({});
	expect(columnsOf({ Description: 'a', is_test_mode: true, ID: 7 }, createFields)).toEqual({});
});

test('of two columns with one name, takes the one that has a value', () => {
	expect(columnsOf({ amount: '', 'amount ': 5 }, createFields)).toEqual({ amount: 5 });
	expect(columnsOf({ ' amount': 5, amount: null }, createFields)).toEqual({ amount: 5 });
	expect(columnsOf({ amount: 5, 'amount\u200b': 5 }, createFields)).toEqual({ amount: 5 });
});

test('refuses two columns with one name and different values', () => {
	expect(() => columnsOf({ amount: 5, 'amount ': 6 }, createFields)).toThrow(
		'Amount (amount) has two columns with different values',
	);
});
