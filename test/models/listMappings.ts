import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { headingOf, itemsOf, valueOf, type Role, type Table, type Value } from './listTables';

/**
 * What people write into a field. Each form has its text and, beside it, what n8n makes of it: the
 * oracle calculates with the second and never reads the first.
 */

/** Where a column is taken from, and whether that is the item at hand. */
const origins = {
	$json: true,
	'$input.item.json': true,
	'$("Rows").item.json': true,
	'$input.first().json': true,
	'$("Rows").first().json': false,
};

export interface Column {
	role: Role;
	from: keyof typeof origins;
	/** As the editor completes a name, as it writes a dragged one, or as people do. */
	as: 'dot' | 'dragged' | 'bracket' | 'lines';
}

function columnText(table: Table, { role, from, as }: Column): string {
	const heading = headingOf(table, role);
	const isDragged = as === 'dragged' || !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(heading);
	if (as === 'bracket') return `${from}[${JSON.stringify(heading)}]`;
	if (isDragged) return `${from}['${heading.replaceAll("'", "\\'")}']`;
	return as === 'lines' ? `${from}\n\t.${heading}` : `${from}.${heading}`;
}

function columnValue(table: Table, row: number, { role, from }: Column): Value {
	return valueOf(table, from.includes('first') ? 0 : row, role);
}

/** One `{{ }}`: its text, and the value that JavaScript gives for the columns' values. */
interface Form {
	text: (...columns: string[]) => string;
	value: (...columns: Value[]) => Value;
	/** Takes its columns over as they are, and says nothing else. */
	isColumn?: true;
	/** Takes from the whole item, or from none, whatever its columns. */
	takes?: boolean;
	/** A `+` outside quotation marks. */
	adds?: true;
}

/** JavaScript says what a formula makes of a text, a blank or a list; n8n swallows what it throws. */
function calculated(calculate: (...values: never[]) => unknown): Form['value'] {
	return (...columns) => {
		try {
			return { json: calculate(...(columns.map(({ json }) => json) as never[])) };
		} catch {
			return { json: undefined };
		}
	};
}

const same = (column: Value): Value => column;

const labelForms = {
	column: { text: (x) => x, value: same, isColumn: true },
	/** What a comment names counts as taken, too. */
	comment: { text: (x) => `/* not yet: + "-" - $json.no */ ${x}`, value: same, takes: true },
	ifMissing: {
		text: (x) => `${x} ?? "Donation"`,
		value: (x) => (x.json === null || x.json === undefined ? { json: 'Donation' } : x),
	},
	ifEmpty: { text: (x) => `${x} || "Donation"`, value: (x) => (x.json ? x : { json: 'Donation' }) },
	joined: { text: (x) => `"Paid? " + ${x}`, value: calculated((x: string) => 'Paid? ' + x) },
	template: { text: (x) => `\`No. \${${x}}\``, value: calculated((x: string) => `No. ${x}`) },
	trimmed: { text: (x) => `${x}.trim()`, value: calculated((x: string) => x.trim()) },
	year: { text: () => '$now.toFormat("yyyy")', value: () => ({ json: year }), takes: false },
	workflow: { text: () => '$workflow.name', value: () => ({ json: 'Test' }), takes: false },
	/** The value is the row's own and is set where the row is known. */
	hash: { text: () => '$json.toJsonString().hash("md5")', value: same, takes: true },
} satisfies Record<string, Form>;

const year = String(new Date().getFullYear());

const amountForms = {
	column: { text: (x) => x, value: same, isColumn: true },
	comment: { text: (x) => `/* + $json.tip */ ${x}`, value: same, takes: true },
	number: { text: (x) => `Number(${x})`, value: calculated((x) => Number(x)) },
	pattern: {
		text: (x) => `Number(String(${x}).replace(/\\+?$/, ""))`,
		value: calculated((x) => Number(String(x))),
	},
	times: { text: (x) => `${x} * 1.19`, value: calculated((x: number) => x * 1.19) },
	minus: { text: (x, _y, z) => `${x} - ${z}`, value: calculated((x, _y, z) => x - z) },
	choice: {
		text: (x) => `$json.vip === "yes" ? ${x} * 0.9 : ${x} * 1.2`,
		value: calculated((x: number) => x * 1.2),
		takes: true,
	},
	if: {
		text: (x) => `$if(${x} > 100, ${x} * 0.9, ${x})`,
		value: (x) => ((x.json as number) > 100 ? { json: (x.json as number) * 0.9 } : x),
	},
	plus: {
		text: (x, y) => `${x} + ${y}`,
		value: calculated((x: number, y: number) => x + y),
		adds: true,
	},
	plusNumbers: {
		text: (x, y) => `Number(${x}) + Number(${y})`,
		value: calculated((x, y) => Number(x) + Number(y)),
		adds: true,
	},
	plusOrZero: {
		text: (x, y) => `(${x} ?? 0) + (${y} ?? 0)`,
		value: calculated((x: number | null, y: number | null) => (x ?? 0) + (y ?? 0)),
		adds: true,
	},
	reduce: {
		text: (x, y) => `[${x}, ${y}].reduce((sum, price) => sum + price, 0)`,
		value: calculated((x: number, y: number) => [x, y].reduce((sum, price) => sum + price, 0)),
		adds: true,
	},
} satisfies Record<string, Form>;

export interface LabelPart {
	form: keyof typeof labelForms;
	column: Column;
}

/** Text as it stands, and `{{ }}` parts. */
export type Label = Array<string | LabelPart>;

export type Amount =
	| { fixed: keyof typeof fixedAmounts }
	| { form: keyof typeof amountForms; from: Column['from']; as: Column['as']; around: string };

/** Each with its meaning. */
export const fixedAmounts = { '': '', '50': '50', '49,90': '49.9', '0': '0', '1.234': null };

/** What a field gives for one row. */
export interface Reading {
	value: Value;
	/** Of each part that takes from an item. */
	itemParts: Value[];
	allParts: Value[];
	hasText: boolean;
	isExpression: boolean;
	/** May be text that was joined where numbers were to be added. */
	adds: boolean;
}

const partTakes = (form: Form, { from }: Pick<Column, 'from'>) => form.takes ?? origins[from];

function labelPartValue(table: Table, row: number, { form, column }: LabelPart): Value {
	if (form === 'hash') {
		const text = JSON.stringify(itemsOf(table)[row]);
		return { json: createHash('md5').update(text).digest('hex') };
	}
	return (labelForms[form] as Form).value(columnValue(table, row, column));
}

/** A list of one is its value. */
export function unlisted(json: unknown): unknown {
	return Array.isArray(json) && json.length === 1 ? json[0] : json;
}

/** What a part becomes in a text; `false` is a blank there, too. */
function inText(json: unknown): string {
	const only: unknown = unlisted(json);
	if (only === null || only === undefined || only === false) return '';
	return typeof only === 'string' ? only : JSON.stringify(only);
}

export function readLabel(table: Table, row: number, label: Label): Reading {
	const parts = label.filter((part) => typeof part !== 'string');
	const values = parts.map((part) => labelPartValue(table, row, part));
	const [only] = values;
	const json = label
		.map((part) => (typeof part === 'string' ? part : inText(values[parts.indexOf(part)]?.json)))
		.join('');
	return {
		value: label.length === 1 && only !== undefined ? only : { json },
		itemParts: values.filter((_value, index) => {
			const part = parts[index];
			return part !== undefined && partTakes(labelForms[part.form], part.column);
		}),
		allParts: values,
		hasText: label.some((part) => typeof part === 'string'),
		isExpression: parts.length > 0,
		adds: false,
	};
}

export function labelText(table: Table, label: Label): string {
	const text = label.map((part) =>
		typeof part === 'string'
			? part
			: `{{ ${(labelForms[part.form] as Form).text(columnText(table, part.column))} }}`,
	);
	return (label.some((part) => typeof part !== 'string') ? '=' : '') + text.join('');
}

const amountRoles = ['total', 'tax', 'paid'] as const;

/** Of a field that holds no expression. */
export const fixed: Omit<Reading, 'value'> = {
	itemParts: [],
	allParts: [],
	hasText: false,
	isExpression: false,
	adds: false,
};

export function readAmount(table: Table, row: number, amount: Amount): Reading {
	if ('fixed' in amount) {
		const value = { json: amount.fixed, money: fixedAmounts[amount.fixed] };
		return { ...fixed, value, hasText: amount.fixed !== '' };
	}
	const { from, as, around } = amount;
	const form: Form = amountForms[amount.form];
	const part = form.value(
		...amountRoles.map((role) => columnValue(table, row, { role, from, as })),
	);
	return {
		value: around === '' ? part : { ...part, json: ` ${inText(part.json)} ` },
		itemParts: partTakes(form, { from }) ? [part] : [],
		allParts: [part],
		hasText: false,
		isExpression: true,
		adds: form.adds === true,
	};
}

export function amountText(table: Table, amount: Amount): string {
	if ('fixed' in amount) return amount.fixed;
	const { from, as, around } = amount;
	const form: Form = amountForms[amount.form];
	const columns = amountRoles.map((role) => columnText(table, { role, from, as }));
	return `=${around}{{ ${form.text(...columns)} }}${around}`;
}

/** "Map Each Field Below". */
export interface Below {
	mode: 'below';
	pageName: Label;
	reference: Label;
	amount: Amount;
	isFixedAmount: boolean;
	/** Of the optional fields, a text and a switch. */
	description: Label | null;
	isTestMode: boolean | 'column' | null;
}

export const below: fc.Arbitrary<Below> = fc.record({
	mode: fc.constant('below' as const),
	/** Never without anything: n8n does not start such a node. */
	pageName: labels('name', ['Invoice ', 'Fee / ']),
	reference: fc.oneof(
		{ weight: 1, arbitrary: fc.constant<Label>([]) },
		{ weight: 3, arbitrary: labels('number', ['INV-', '2026-']) },
	),
	amount: fc.oneof(
		{ weight: 1, arbitrary: fc.record({ fixed: fc.constantFrom(...keysOf(fixedAmounts)) }) },
		{
			weight: 3,
			arbitrary: fc.record({
				form: fc.constantFrom(...keysOf(amountForms)),
				from: fc.constantFrom(...keysOf(origins)),
				as: accesses(),
				around: fc.constantFrom('', '', '', '', '', ' '),
			}),
		},
	),
	isFixedAmount: fc.boolean(),
	description: fc.option(labels('name', ['For '])),
	isTestMode: fc.option(fc.oneof(fc.boolean(), fc.constant('column' as const))),
});

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
	return Object.keys(record) as Key[];
}

function accesses(): fc.Arbitrary<Column['as']> {
	return fc.constantFrom<Column['as']>('dot', 'dragged', 'bracket', 'lines');
}

function labels(role: Role, texts: string[]): fc.Arbitrary<Label> {
	const column = fc.record({
		role: fc.constant(role),
		from: fc.oneof(
			{ weight: 3, arbitrary: fc.constant('$json' as const) },
			{ weight: 1, arbitrary: fc.constantFrom(...keysOf(origins)) },
		),
		as: accesses(),
	});
	const plain = fc.record({ form: fc.constant('column' as const), column });
	const any = fc.record({ form: fc.constantFrom(...keysOf(labelForms)), column });
	const text = fc.constantFrom(...texts);
	const fixed = fc.record({ form: fc.constantFrom('year' as const, 'workflow' as const), column });
	return fc.oneof<Array<fc.WeightedArbitrary<Label>>>(
		{ weight: 3, arbitrary: fc.tuple(plain) },
		{ weight: 2, arbitrary: fc.tuple(any) },
		{ weight: 2, arbitrary: fc.tuple(text, any) },
		{ weight: 2, arbitrary: fc.tuple(any, fc.constant(' – '), any) },
		{ weight: 2, arbitrary: fc.tuple(fixed, fc.constant('-'), plain) },
		{ weight: 2, arbitrary: fc.tuple(text) },
	);
}
