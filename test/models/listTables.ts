import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

/**
 * Tables as people have them. A table is drawn as what its rows mean; a source writes that the way
 * it writes such things, so the oracle knows the meaning of every cell without reading it.
 */

/** What a column is for; its heading depends on the language, or on automatic mapping. */
export type Role = 'name' | 'number' | 'total' | 'tax' | 'paid' | 'test';
type MoneyRole = 'total' | 'tax' | 'paid';

/** In cents; for a CSV file also how it is written. */
export interface Money {
	cents: number;
	written: Spelling;
}

/** `null` is a blank cell, in whatever way the source writes one. */
export type Row = Record<'name' | 'number' | 'test', string | null> &
	Record<MoneyRole, Money | null>;

export interface Table {
	source: keyof typeof sources;
	language: keyof typeof languages;
	rows: Row[];
}

/** What an expression finds in a cell, and what a person means by it where it is money. */
export interface Value {
	json: unknown;
	/** Decimal digits; null where the text has no meaning or two. */
	money?: string | null;
}

/** Every one of these is written by hand or by a dragged column, so none is changed by n8n. */
export const languages = {
	English: ['Name', "Customer's No", 'Total', 'Tax', 'Paid', 'Test?'],
	Spanish: ['título', 'número', 'importe', 'impuesto_añadido', 'pagado', 'prueba'],
	German: ['straße', 'Rechnungsnummer_für', 'Betrag', 'Mehrwertsteuer', 'bezahlt', 'Prüfung'],
	French: ['Société', "N° d'ordre", 'Montant HT', 'TVA', 'Payé', 'Essai'],
	Japanese: ['名前', '番号', '金額', '税', '支払済', 'テスト'],
	Postgres: ['pagename', 'invoiceno', 'amount_total', 'tax', 'paid', 'is_test_mode'],
} as const;

const roles: Role[] = ['name', 'number', 'total', 'tax', 'paid', 'test'];

export function headingOf({ language }: Table, role: Role): string {
	return languages[language][roles.indexOf(role)] ?? role;
}

/** Each gives the text, and the cents that it means; null where it can't be told. */
const spellings = {
	dot: (cents: number) => [`${whole(cents)}.${rest(cents)}`, cents],
	comma: (cents: number) => [`${whole(cents)},${rest(cents)}`, cents],
	dotComma: (cents: number) => [`${whole(cents, '.')},${rest(cents)}`, cents],
	commaDot: (cents: number) => [`${whole(cents, ',')}.${rest(cents)}`, cents],
	blankComma: (cents: number) => [`${whole(cents, '\u00a0')},${rest(cents)}`, cents],
	apostrophe: (cents: number) => [`${whole(cents, "'")}.${rest(cents)}`, cents],
	indian: (cents: number) => [
		`1,00,${String(cents).padStart(3, '0').slice(-3)}.50`,
		1e7 + (cents % 1000) * 100 + 50,
	],
	arabic: (cents: number) => [
		whole(cents).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))),
		cents - (cents % 100),
	],
	ambiguousDot: (cents: number) => [`${1 + (Math.floor(cents / 100) % 999)}.500`, null],
	ambiguousComma: (cents: number) => [`${1 + (Math.floor(cents / 100) % 999)},500`, null],
	currency: (cents: number) => [`€ ${whole(cents)}.${rest(cents)}`, null],
	minus: (cents: number) => [`-${whole(cents)}.${rest(cents)}`, null],
	leadingZero: (cents: number) => [`0${whole(cents)}.${rest(cents)}`, null],
} satisfies Record<string, (cents: number) => [text: string, means: number | null]>;

export type Spelling = keyof typeof spellings;

function whole(cents: number, separator = ''): string {
	return String(Math.floor(cents / 100)).replace(/(?<=\d)(?=(\d{3})+$)/g, separator);
}

function rest(cents: number): string {
	return String(cents % 100).padStart(2, '0');
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

/** These write an amount as text: as somebody typed it, or with two decimals. */
const typed: Array<Table['source']> = ['csv', 'csvWithBlanks'];

export function valueOf({ source, rows }: Table, row: number, role: Role): Value {
	const cell = rows[row]?.[role] ?? null;
	const write: Write = sources[source];
	if (cell === null || typeof cell === 'string') {
		const isText = role === 'name' || role === 'number';
		return { json: write(cell, isText) };
	}
	if (typed.includes(source)) {
		const [json, means] = spellings[cell.written](cell.cents);
		return { json, money: means === null ? null : String(means / 100) };
	}
	if (source !== 'postgres') return { json: write(cell.cents / 100, false) };
	return { json: `${whole(cell.cents)}.${rest(cell.cents)}`, money: String(cell.cents / 100) };
}

/** The items as n8n has them. */
export function itemsOf(
	table: Table,
	headings = (role: Role) => headingOf(table, role),
): IDataObject[] {
	return table.rows.map((_row, row) => {
		const item: IDataObject = {};
		for (const role of roles) {
			const { json } = valueOf(table, row, role);
			if (json !== undefined) item[headings(role)] = json;
		}
		return item;
	});
}

/** Few, so that twins come often; two that a service may fold, and two that look like mistakes. */
const names = ['Ana', 'Zoë', 'Zoe', 'Müller & Co', '請求書', 'Null', 'Annullierung'];
const numbers = fc.oneof(fc.constantFrom('17', 'INV-1', 'inv-1', 'Ä/2'), fc.nat(99).map(String));

/** A cell is this often one that a person would mend. */
const rarely = 12;

function cell<Cell>(right: fc.Arbitrary<Cell>, wrong: fc.Arbitrary<Cell>, blanks: number) {
	return fc.oneof(
		{ withCrossShrink: true },
		{ weight: blanks, arbitrary: fc.constant(null) },
		{ weight: rarely, arbitrary: right },
		{ weight: 1, arbitrary: wrong },
	);
}

const money = (written: Spelling[]): fc.Arbitrary<Money> =>
	fc.record({
		cents: fc.oneof(
			{ weight: 4, arbitrary: fc.constantFrom(4990, 500) },
			{ weight: 4, arbitrary: fc.integer({ min: 1, max: 200_000_00 }) },
			{ weight: 1, arbitrary: fc.constant(0) },
		),
		written: fc.constantFrom(...written),
	});

const allSpellings = Object.keys(spellings) as Spelling[];
const isClear = (written: Spelling) => spellings[written](4990)[1] !== null;
const clear = money(allSpellings.filter(isClear));
const unclear = money(allSpellings.filter((written) => !isClear(written)));

const row: fc.Arbitrary<Row> = fc.record({
	name: cell(fc.constantFrom(...names), fc.constant('#N/A'), 3),
	number: cell(numbers, fc.constant('#REF!'), 3),
	total: cell(clear, unclear, 2),
	tax: cell(clear, unclear, 4),
	paid: cell(clear, unclear, 8),
	test: cell(fc.constantFrom('true', 'false', 'yes', 'No'), fc.constantFrom('on', 'OFF'), 8),
});

export const tables: fc.Arbitrary<Table> = fc.record({
	source: fc.constantFrom(...(Object.keys(sources) as Array<Table['source']>)),
	language: fc.constantFrom(...(Object.keys(languages) as Array<Table['language']>)),
	rows: fc.array(row, { minLength: 1, maxLength: 6 }),
});
