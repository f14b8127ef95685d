import { createHash } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';

import fc from 'fast-check';

import { nameIn, oneOf } from '../support/drawing';
import { headingOf, itemOf, moneyRoles, typedAmounts, type Role, type Table } from './tables';

/** What people write into a field, and what JavaScript makes of it for a row. */

/** Where a column is taken from, and whether that is the item at hand. */
const origins = {
	$json: true,
	'$input.item.json': true,
	'$("Rows").item.json': true,
	'$input.first().json': true,
	'$("Rows").first().json': false,
};

/** One `{{ }}`: what it makes of columns. */
interface Form {
	code: (...columns: string[]) => string;
	takes?: boolean; // takes from the whole item, or from none, whatever its columns
	adds?: true; // a `+` outside quotation marks
}

const anyForms = {
	column: { code: (x) => x },
	/** What a comment names counts as taken, too. */
	comment: { code: (x) => `/* not yet: + "-" - $json.tip */ ${x}`, takes: true },
} satisfies Record<string, Form>;

const labelForms = {
	...anyForms,
	ifMissing: { code: (x) => `${x} ?? "Donation"` },
	ifEmpty: { code: (x) => `${x} || "Donation"` },
	joined: { code: (x) => `"Paid? " + ${x}` },
	template: { code: (x) => `\`No. \${${x}}\`` },
	trimmed: { code: (x) => `${x}.trim()` },
	year: { code: () => '$now.toFormat("yyyy")', takes: false },
	workflow: { code: () => '$workflow.name', takes: false },
	hash: { code: () => '$json.toJsonString().hash("md5")', takes: true },
} satisfies Record<string, Form>;

const amountForms = {
	...anyForms,
	number: { code: (x) => `Number(${x})` },
	pattern: { code: (x) => `Number(String(${x}).replace(/\\+?$/, ""))` },
	times: { code: (x) => `${x} * 1.19` },
	minus: { code: (x, _y, z) => `${x} - ${z}` },
	choice: { code: (x) => `$json.vip === "yes" ? ${x} * 0.9 : ${x} * 1.2`, takes: true },
	if: { code: (x) => `$if(${x} > 100, ${x} * 0.9, ${x})` },
	plus: { code: (x, y) => `${x} + ${y}`, adds: true },
	plusNumbers: { code: (x, y) => `Number(${x}) + Number(${y})`, adds: true },
	plusOrZero: { code: (x, y) => `(${x} ?? 0) + (${y} ?? 0)`, adds: true },
	reduce: { code: (x, y) => `[${x}, ${y}].reduce((sum, price) => sum + price, 0)`, adds: true },
} satisfies Record<string, Form>;

const forms: Record<string, Form> = { ...labelForms, ...amountForms };

export interface Part {
	form: string;
	role: Role; // an amount is calculated from all three columns of money
	from: keyof typeof origins;
	as: 'dot' | 'dragged' | 'bracket' | 'lines'; // as the editor or people write a name
}

/** A switch, or text as it stands and `{{ }}` parts. */
export type Field = boolean | Array<string | Part>;

const isText = (part: string | Part | undefined) => typeof part === 'string';

function columnText(table: Table, role: Role, { from, as }: Part): string {
	const heading = headingOf(table, role);
	const isDragged = as === 'dragged' || !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(heading);
	if (as === 'bracket') return `${from}[${JSON.stringify(heading)}]`;
	if (isDragged) return `${from}['${heading.replaceAll("'", "\\'")}']`;
	return as === 'lines' ? `${from}\n\t.${heading}` : `${from}.${heading}`;
}

function codeOf(table: Table, part: Part): string {
	const columns = part.role === 'total' ? moneyRoles : [part.role];
	return forms[part.form]?.code(...columns.map((role) => columnText(table, role, part))) ?? '';
}

/** As it is typed into the panel. */
export function typedText(table: Table, field: Field): string | boolean {
	if (typeof field === 'boolean') return field;
	const texts = field.map((part) => (isText(part) ? part : `{{ ${codeOf(table, part)} }}`));
	return (field.every(isText) ? '' : '=') + texts.join('');
}

/** What n8n has beside JavaScript, as far as the forms use it. */
const context = createContext({
	$if: (condition: boolean, yes: unknown, no: unknown) => (condition ? yes : no),
	$now: { toFormat: () => String(new Date().getFullYear()) },
	$workflow: { name: 'Test' },
});

/** JavaScript says what code makes of a text, a blank or a list; n8n swallows what it throws. */
function evaluate(table: Table, row: number, part: Part): unknown {
	const json = itemOf(table, row);
	const hash = () => createHash('md5').update(JSON.stringify(json)).digest('hex');
	const items = { item: { json }, first: () => ({ json: itemOf(table, 0) }) };
	const $json = { ...json, toJsonString: () => ({ hash }) };
	Object.assign(context, { $json, $input: items, $: () => items });
	try {
		return runInContext(codeOf(table, part), context);
	} catch {
		return undefined;
	}
}

/** A list of one is its value. */
export const unlisted = (json: unknown): unknown =>
	Array.isArray(json) && json.length === 1 ? json[0] : json;

export function isBlank(value: unknown): boolean {
	const only = unlisted(value);
	return only === null || only === undefined || (typeof only === 'string' && only.trim() === '');
}

export const textOf = (value: unknown) => String(unlisted(value)).trim();
export const flagOf = (value: unknown) => /^(true|yes|on)$/i.test(textOf(value));

/** What a part becomes in a text; `false` is a blank there, too. */
function inText(json: unknown): string {
	const only = unlisted(json) ?? false;
	if (only === false) return '';
	return typeof only === 'string' ? only : JSON.stringify(only);
}

/** What a field gives for one row. */
export interface Reading {
	value: unknown;
	parts: unknown[]; // of each part of an expression
	itemParts: unknown[]; // of those that take from an item
	hasText: boolean;
	adds: boolean; // may be text that was joined where numbers were to be added
}

export function fixed(value: unknown): Reading {
	return { value, parts: [], itemParts: [], hasText: false, adds: false };
}

export function readField(table: Table, row: number, field: Field): Reading {
	if (typeof field === 'boolean') return fixed(field);
	const values = field.map((part) => (isText(part) ? part : evaluate(table, row, part)));
	const parts = values.filter((_value, index) => !isText(field[index]));
	const hasText = field.some((part) => isText(part) && part.trim() !== '');
	const takes = (part: string | Part | undefined) =>
		!isText(part) && part && (forms[part.form]?.takes ?? origins[part.from]);
	return {
		value: parts.length === 1 && !hasText ? parts[0] : values.map(inText).join(''),
		parts,
		itemParts: values.filter((_value, index) => takes(field[index])),
		hasText,
		adds: field.some((part) => !isText(part) && forms[part.form]?.adds),
	};
}

const as = fc.constantFrom<Array<Part['as']>>('dot', 'dragged', 'bracket', 'lines');

/** Texts and columns, as people write a name. */
export function labels(role: Role, texts: string[]): fc.Arbitrary<Field> {
	const from = oneOf([3, fc.constant('$json' as const)], [1, nameIn(origins)]);
	const partOf = (form: fc.Arbitrary<keyof typeof labelForms>): fc.Arbitrary<Part> =>
		fc.record({ form, role: fc.constant(role), from, as });
	const [plain, any] = [partOf(fc.constant('column')), partOf(nameIn(labelForms))];
	const fixed = partOf(fc.constantFrom('year', 'workflow'));
	const text = fc.constantFrom(...texts);
	return oneOf<Field>(
		[3, fc.tuple(plain)],
		[2, fc.tuple(any)],
		[2, fc.tuple(text, any)],
		[2, fc.tuple(any, fc.constant(' – '), any)],
		[2, fc.tuple(fixed, fc.constant('-'), plain)],
		[2, fc.tuple(text)],
	);
}

const form = nameIn(amountForms);
const calculated = fc.record<Part>({ form, role: fc.constant('total'), from: nameIn(origins), as });
const blank = fc.constant(' ');

export const amounts = oneOf<Field>(
	[6, fc.tuple(nameIn(typedAmounts))],
	[15, fc.tuple(calculated)],
	[3, fc.tuple(blank, calculated, blank)],
);
