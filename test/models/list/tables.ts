import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { nameIn, oneOf, type Drawn } from '../support/drawing';

/**
 * Tables as people have them. A table is drawn as what its rows mean; a source writes that the way
 * it writes such things, so the oracle knows the meaning of every cell without reading it.
 */

/** What a column is for; its heading depends on the language, or on automatic mapping. */
export const roles = ['name', 'number', 'total', 'tax', 'paid', 'test'] as const;
export type Role = (typeof roles)[number];

export const moneyRoles = ['total', 'tax', 'paid'] as const;

/** Every one of these is written by hand or by a dragged column, so none is changed by n8n. */
const languages = {
	English: ['Name', "Customer's No", 'Total', 'Tax', 'Paid', 'Test?'],
	Spanish: ['título', 'número', 'importe', 'impuesto_añadido', 'pagado', 'prueba'],
	German: ['straße', 'Rechnungsnummer_für', 'Betrag', 'Mehrwertsteuer', 'bezahlt', 'Prüfung'],
	French: ['Société', "N° d'ordre", 'Montant HT', 'TVA', 'Payé', 'Essai'],
	Japanese: ['名前', '番号', '金額', '税', '支払済', 'テスト'],
	Postgres: ['pagename', 'invoiceno', 'amount_total', 'tax', 'paid', 'is_test_mode'],
} as const;

export const headingOf = ({ language }: Table, role: Role): string =>
	languages[language][roles.indexOf(role)] ?? role;

type Spelling = (cents: number) => string;

function written(separator: string, sign: string, groups = /(?<=\d)(?=(\d{3})+$)/g): Spelling {
	return (cents) => {
		const whole = String(Math.floor(cents / 100)).replace(groups, separator);
		return `${whole}${sign}${String(cents % 100).padStart(2, '0')}`;
	};
}

const dot = written('', '.');
const upTo999 = (cents: number) => 1 + (Math.floor(cents / 100) % 999);

/** Those that have one meaning. */
const clear = {
	dot,
	comma: written('', ','),
	dotComma: written('.', ','),
	commaDot: written(',', '.'),
	blankComma: written('\u00a0', ','),
	apostrophe: written("'", '.'),
	indian: written(',', '.', /(?<=\d)(?=(\d\d)*\d{3}$)/g),
	arabic: (cents) =>
		written('', '٫')(cents).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))),
} satisfies Record<string, Spelling>;

/** Those that have two, or none. */
const unclear = {
	ambiguousDot: (cents) => `${upTo999(cents)}.500`,
	ambiguousComma: (cents) => `${upTo999(cents)},500`,
	currency: (cents) => `€ ${dot(cents)}`,
	minus: (cents) => `-${dot(cents)}`,
	leadingZero: (cents) => `0${dot(cents)}`,
} satisfies Record<string, Spelling>;

const spellings = { ...clear, ...unclear };

/** For a CSV file also how it is written. */
interface Money {
	cents: number;
	written: keyof typeof spellings;
}

type Write = (value: string | number | null, isText: boolean) => unknown;

/** n8n's nodes for these: what they make of a blank cell, of a number, of a text. */
const sources = {
	/** Extract from File leaves blank cells out, and all else is text. */
	csv: (value) => value ?? undefined,
	csvWithBlanks: (value) => value ?? '',
	/** Digits alone become a number. */
	sheets: (value) => (/^\d+$/.test(String(value)) ? Number(value) : (value ?? '')),
	/** A looked-up column is a list of one, and a blank one is missing. */
	airtable: (value) => (value === null ? undefined : [value]),
	/** Odoo says `false` for a text that is not there. */
	odoo: (value, isText) => value ?? (isText ? false : null),
	postgres: (value) => value,
} satisfies Record<string, Write>;

/** These write an amount as somebody typed it, or with two decimals; for others it is a number. */
const amountTexts: Partial<Record<keyof typeof sources, (money: Money) => string>> = {
	csv: ({ cents, written }) => spellings[written](cents),
	csvWithBlanks: ({ cents, written }) => spellings[written](cents),
	postgres: ({ cents }) => dot(cents),
};

/** What an expression finds in a cell. */
export function valueOf({ source, rows }: Table, row: number, role: Role): unknown {
	const cell = rows[row]?.[role] ?? null;
	const write: Write = sources[source];
	const isText = role === 'name' || role === 'number';
	if (cell === null || typeof cell === 'string') return write(cell, isText);
	return write(amountTexts[source]?.(cell) ?? cell.cents / 100, isText);
}

/** The item as n8n has it. */
export function itemOf(table: Table, row: number): IDataObject {
	const columns = roles.map((role) => [headingOf(table, role), valueOf(table, row, role)] as const);
	return Object.fromEntries(columns.filter(([, value]) => value !== undefined)) as IDataObject;
}

/** What people type into the panel. */
export const typedAmounts = { '': null, '50': '50', '49,90': '49.9', '0': '0', '1.234': null };

/** The digits that a text stands for as an amount; undefined if it stands for none, or for two. */
export function meaningOf({ source, rows }: Table, text: string): string | undefined {
	if (text in typedAmounts) return typedAmounts[text as keyof typeof typedAmounts] ?? undefined;
	const cell = rows
		.flatMap(({ total, tax, paid }) => [total, tax, paid])
		.filter((one) => one !== null)
		.find((one) => amountTexts[source]?.(one) === text);
	const isClear = cell !== undefined && (source === 'postgres' || cell.written in clear);
	return isClear ? String(cell.cents / 100) : undefined;
}

/** Few, so that twins come often; two that a service may fold, and two that look like mistakes. */
const names = ['Ana', 'Zoë', 'Zoe', 'Müller & Co', '請求書', 'Null', 'Annullierung'];
const numbers = fc.oneof(fc.constantFrom('17', 'INV-1', 'inv-1', 'Ä/2'), fc.nat(99).map(String));

/** One cell in twelve is one that a person would mend. */
function cell<Cell>(right: fc.Arbitrary<Cell>, wrong: fc.Arbitrary<Cell>, blanks: number) {
	return oneOf<Cell | null>([blanks, fc.constant(null)], [12, right], [1, wrong]);
}

function money(blanks: number): fc.Arbitrary<Money | null> {
	const cents = oneOf(
		[4, fc.constantFrom(4990, 500)],
		[4, fc.integer({ min: 1, max: 200_000_00 })],
		[1, fc.constant(0)],
	);
	const right = fc.record<Money>({ cents, written: nameIn(clear) });
	return cell(right, fc.record<Money>({ cents, written: nameIn(unclear) }), blanks);
}

/** `null` is a blank cell, in whatever way the source writes one. */
const row = fc.record({
	name: cell(fc.constantFrom(...names), fc.constant('#N/A'), 3),
	number: cell(numbers, fc.constant('#REF!'), 3),
	total: money(2),
	tax: money(4),
	paid: money(8),
	test: cell(fc.constantFrom('true', 'false', 'yes', 'No'), fc.constantFrom('on', 'OFF'), 8),
});

export const tables = fc.record({
	source: nameIn(sources),
	language: nameIn(languages),
	rows: fc.array(row, { minLength: 1, maxLength: 6 }),
});
export type Table = Drawn<typeof tables>;
