import type { IDataObject, IExecutePaginationFunctions, INode } from 'n8n-workflow';

import { excerpt, InvalidFieldError } from '../../shared/errors';
import { isBlank, isEmptyDeep, isRecord, trimmed } from '../../shared/values';
import { splitField, type Part } from './expression';
import { columnRule, holdsText, quotedLabel, type PageField, type PageValues } from './pageFields';

interface PartReading extends Part {
	value: unknown;
}

/** What a field of one item holds. */
export interface FieldReading {
	value: unknown;
	/** Of an expression; none in a fixed value, nor in a column that is mapped automatically. */
	parts: PartReading[];
	/** Whether the parts are joined with text, or with each other, so that the value is text. */
	isJoined: boolean;
	takesFromItem: boolean;
	/** The expression as the panel shows it. */
	shown: string;
}

/** What one item says of its page. */
export interface PageReading {
	fields: Partial<Record<PageField, FieldReading>>;
	isAutomatic: boolean;
	/** The expressions of identifying fields that give `undefined`, as the panel shows them. */
	withoutValue: Partial<Record<PageField, string>>;
	/** What the columns hold that name a merchant; looked at with automatic mapping alone. */
	merchants: unknown[];
}

/** They say which page it is, and for what. */
export const identifyingFields: PageField[] = [
	'pageName',
	'amount',
	'paymentPageLinkReference',
	'id',
];

/** Whether a value says nothing. Some CRMs write `false` for none. */
function isNothing(value: unknown): boolean {
	return value === false || isEmptyDeep(value);
}

/** The parts that tell: those that take from an item, or all if none does. */
function tellingParts({ parts }: FieldReading): PartReading[] {
	const fromItem = parts.filter(({ takesFromItem }) => takesFromItem);
	return fromItem.length > 0 ? fromItem : parts;
}

/** Whether a field is blank, or nothing but the text around blanks, as the "INV-" of `INV-{{ $json.no }}`. */
export function saysNothing(reading: FieldReading | undefined): boolean {
	if (reading === undefined || isNothing(reading.value)) return true;
	const parts = tellingParts(reading);
	return reading.isJoined && parts.length > 0 && parts.every(({ value }) => isNothing(value));
}

/** A list of one value is that value, and an empty one is none: Airtable's lookups are lists. */
function unlisted(value: unknown): unknown {
	return Array.isArray(value) && value.length <= 1 ? (value as unknown[])[0] : value;
}

function valueOf(field: PageField, value: unknown): unknown {
	// A list of additional fields is sent as a list.
	const single = field === 'additionalFields' ? value : unlisted(value);
	return single === false && holdsText(field) ? null : single;
}

/**
 * The value of a part. A whole column is read from the item itself: evaluating expressions is by far
 * the greatest part of what an item costs, and n8n has evaluated each of them twice by now.
 */
function evaluate(context: IExecutePaginationFunctions, { expression, column }: Part): unknown {
	if (column !== undefined) {
		const { json } = context.getInputData();
		if (Object.hasOwn(json, column)) return json[column];
	}
	return context.evaluateExpression(expression, context.getItemIndex());
}

/** Joins as n8n does, but for `false`, which is nothing in a text. */
function joined(chunks: Array<string | PartReading>): string {
	return chunks
		.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.value))
		.map((value) => (Boolean(value) || value === 0 ? value : ''))
		.join('');
}

function readRaw(
	context: IExecutePaginationFunctions,
	field: PageField,
	raw: unknown,
): FieldReading {
	const chunks = splitField(raw)?.map((chunk) =>
		typeof chunk === 'string' ? chunk : { ...chunk, value: evaluate(context, chunk) },
	);
	const parts = chunks?.filter((chunk) => typeof chunk !== 'string') ?? [];
	// A blank beside the only part makes no text of a number, and none of a date.
	const isJoined =
		parts.length > 1 ||
		(chunks ?? []).some((chunk) => typeof chunk === 'string' && trimmed(chunk) !== '');
	const value = chunks === undefined ? raw : isJoined ? joined(chunks) : parts[0]?.value;
	return {
		value: valueOf(field, value),
		parts,
		isJoined,
		takesFromItem: parts.some(({ takesFromItem }) => takesFromItem),
		shown: excerpt(String(raw).replace(/^=/, '')),
	};
}

/** Reads a field that has a parameter of its own. */
export function readField(context: IExecutePaginationFunctions, field: PageField): FieldReading {
	return readRaw(context, field, context.getNodeParameter(field, '', { rawExpressions: true }));
}

/** Whether the expression gives `undefined`: its column is missing, or it fails (n8n facts, "Expressions"). */
function givesNothing(reading: FieldReading): boolean {
	return (
		reading.parts.length > 0 && tellingParts(reading).every((part) => part.value === undefined)
	);
}

function withoutValueIn(fields: PageReading['fields']): PageReading['withoutValue'] {
	const shown: PageReading['withoutValue'] = {};
	for (const field of identifyingFields) {
		const reading = fields[field];
		if (reading !== undefined && givesNothing(reading)) shown[field] = reading.shown;
	}
	return shown;
}

/** What the panel says of a page. */
export function toPageReading(fields: PageReading['fields']): PageReading {
	return { fields, isAutomatic: false, withoutValue: withoutValueIn(fields), merchants: [] };
}

/**
 * Reads the fields of the panel ("Map Each Field Below").
 *
 * @param fields all that the operation can send
 * @param inCollection those that the collection holds
 */
export function readBelow(
	context: IExecutePaginationFunctions,
	own: readonly PageField[],
	collection: string,
	inCollection: readonly PageField[],
): PageReading {
	const chosen: unknown = context.getNodeParameter(collection, {}, { rawExpressions: true });
	const raw: PageValues = isRecord(chosen) ? chosen : {};
	const fields: PageReading['fields'] = {};
	for (const field of own) fields[field] = readField(context, field);
	for (const field of inCollection) {
		if (field in raw) fields[field] = readRaw(context, field, raw[field]);
	}
	return toPageReading(fields);
}

/** A name without case and without what separates its words. */
function comparableName(name: string): string {
	return name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{Letter}\p{Number}]/gu, '');
}

/** The columns of an item by their comparable names. */
function nearColumns(json: IDataObject): Map<string, string[]> {
	const columns = new Map<string, string[]>();
	for (const column of Object.keys(json)) {
		const name = comparableName(column);
		columns.set(name, [...(columns.get(name) ?? []), column]);
	}
	return columns;
}

/** A field as errors name it: with automatic mapping, its name tells which column is meant. */
export function labelOf(field: PageField, isAutomatic: boolean): string {
	return isAutomatic ? `${quotedLabel(field)} (${field})` : quotedLabel(field);
}

function columnFor(field: PageField, json: IDataObject, near: Map<string, string[]>) {
	if (Object.hasOwn(json, field)) return field;
	if (columnRule(field) === 'exact') return undefined;
	const [column, another] = near.get(comparableName(field)) ?? [];
	if (another === undefined) return column;
	throw new InvalidFieldError(
		labelOf(field, true),
		`has two columns, ${excerpt(column)} and ${excerpt(another)}`,
		`Keep one of them, or name it '${field}', with an Edit Fields node before this one.`,
	);
}

/**
 * Reads the columns of an item ("Map Automatically"), and the fields that the panel has in this mode,
 * too.
 *
 * @param fields all that the operation can send
 * @param own fields with a parameter: they come before a column, but for a switch, which has a value
 *   in any case
 * @throws InvalidFieldError when two columns are near the name of a field
 */
export function readAutomatically(
	context: IExecutePaginationFunctions,
	{ type }: INode,
	fields: readonly PageField[],
	own: readonly PageField[],
): PageReading {
	// An imported workflow may ask for it all the same, and an old n8n shows the choice.
	if (type.endsWith('Tool')) {
		throw new InvalidFieldError(
			"'Mapping Mode'",
			"can't be 'Map Automatically' in a tool of an AI agent",
			"Choose 'Map Each Field Below', and let the model fill in the fields. If there is no such choice, add the tool again.",
		);
	}
	const { json } = context.getInputData();
	const near = nearColumns(json);
	const panel: PageReading['fields'] = {};
	for (const field of own) panel[field] = readField(context, field);
	const found: PageReading['fields'] = { ...panel };
	for (const field of fields) {
		if (columnRule(field) === 'never') continue;
		const isTyped = field !== 'isFixedAmount' && !isBlank(panel[field]?.value);
		const column = isTyped ? undefined : columnFor(field, json, near);
		if (column === undefined || (field in panel && isBlank(json[column]))) continue;
		found[field] = {
			value: valueOf(field, json[column]),
			parts: [],
			isJoined: false,
			takesFromItem: true,
			shown: excerpt(column),
		};
	}
	const merchantColumns = Object.hasOwn(json, 'merchantId')
		? ['merchantId']
		: (near.get('merchantid') ?? []);
	return {
		fields: found,
		isAutomatic: true,
		withoutValue: withoutValueIn(panel),
		merchants: merchantColumns.map((column) => json[column]),
	};
}
