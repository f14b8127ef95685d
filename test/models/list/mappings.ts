import { createHash } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { nameIn, oneOf } from '../support/drawing';
import {
	headingOf,
	moneyRoles,
	roles,
	typedAmounts,
	valueOf,
	type Role,
	type Table,
} from './tables';

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
	/** Takes from the whole item, or from none, whatever its columns. */
	takes?: boolean;
	/** A `+` outside quotation marks. */
	adds?: true;
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

interface Part {
	form: string;
	/** An amount is calculated from all three columns of money. */
	role: Role;
	from: keyof typeof origins;
	/** As the editor completes a name, as it writes a dragged one, or as people do. */
	as: 'dot' | 'dragged' | 'bracket' | 'lines';
}

/** Text as it stands, and `{{ }}` parts. */
export type Field = Array<string | Part>;

/** "Map Each Field Below". */
export interface Below {
	mode: 'below';
	pageName: Field;
	reference: Field;
	amount: Field;
	isFixedAmount: boolean;
	/** Of the optional fields, a text and a switch. */
	description: Field | null;
	isTestMode: Field | boolean | null;
}

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
export function textOf(table: Table, field: Field): string {
	const texts = field.map((part) =>
		typeof part === 'string' ? part : `{{ ${codeOf(table, part)} }}`,
	);
	return (field.some((part) => typeof part !== 'string') ? '=' : '') + texts.join('');
}

/** The item as n8n has it. */
export function itemOf(table: Table, row: number): IDataObject {
	const columns = roles.map((role) => [headingOf(table, role), valueOf(table, row, role)] as const);
	return Object.fromEntries(columns.filter(([, value]) => value !== undefined)) as IDataObject;
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
export function unlisted(json: unknown): unknown {
	return Array.isArray(json) && json.length === 1 ? json[0] : json;
}

/** What a part becomes in a text; `false` is a blank there, too. */
function inText(json: unknown): string {
	const only = unlisted(json);
	if (only === null || only === undefined || only === false) return '';
	return typeof only === 'string' ? only : JSON.stringify(only);
}

/** What a field gives for one row. */
export interface Reading {
	value: unknown;
	/** Of each part of an expression. */
	parts: unknown[];
	/** Of those that take from an item. */
	itemParts: unknown[];
	hasText: boolean;
	/** May be text that was joined where numbers were to be added. */
	adds: boolean;
}

export function read(table: Table, row: number, field: Field): Reading {
	const parts = field.filter((part) => typeof part !== 'string');
	const values = parts.map((part) => evaluate(table, row, part));
	const isFromItem = ({ form, from }: Part) => forms[form]?.takes ?? origins[from];
	const hasText = field.some((part) => typeof part === 'string' && part.trim() !== '');
	const texts = field.map((part) =>
		typeof part === 'string' ? part : inText(values[parts.indexOf(part)]),
	);
	return {
		value: values.length === 1 && !hasText ? values[0] : texts.join(''),
		parts: values,
		itemParts: values.filter((_value, index) => parts.slice(index, index + 1).some(isFromItem)),
		hasText,
		adds: parts.some(({ form }) => forms[form]?.adds),
	};
}

const ways = fc.constantFrom<Array<Part['as']>>('dot', 'dragged', 'bracket', 'lines');

function label(role: Role, texts: string[]): fc.Arbitrary<Field> {
	const from = oneOf([3, fc.constant('$json' as const)], [1, nameIn(origins)]);
	const partOf = (form: fc.Arbitrary<keyof typeof labelForms>): fc.Arbitrary<Part> =>
		fc.record({ form, role: fc.constant(role), from, as: ways });
	const plain = partOf(fc.constant('column'));
	const any = partOf(nameIn(labelForms));
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

const calculated: fc.Arbitrary<Part> = fc.record({
	form: nameIn(amountForms),
	role: fc.constant('total' as const),
	from: nameIn(origins),
	as: ways,
});
const blank = fc.constant(' ');
const testColumn: Part = { form: 'column', role: 'test', from: '$json', as: 'bracket' };

export const below: fc.Arbitrary<Below> = fc.record({
	mode: fc.constant('below' as const),
	/** Never without anything: n8n does not start such a node. */
	pageName: label('name', ['Invoice ', 'Fee / ']),
	reference: oneOf<Field>([1, fc.constant([])], [3, label('number', ['INV-', '2026-'])]),
	amount: oneOf<Field>(
		[6, fc.tuple(nameIn(typedAmounts))],
		[15, fc.tuple(calculated)],
		[3, fc.tuple(blank, calculated, blank)],
	),
	isFixedAmount: fc.boolean(),
	description: fc.option(label('name', ['For '])),
	isTestMode: fc.option(fc.oneof(fc.boolean(), fc.constant<Field>([testColumn]))),
});
