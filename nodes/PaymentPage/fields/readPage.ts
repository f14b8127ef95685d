import type { IDataObject, IExecutePaginationFunctions, INode } from 'n8n-workflow';

import { excerpt, InvalidFieldError } from '../../shared/errors';
import { isBlank, isEmptyDeep, isRecord, trimmed } from '../../shared/values';
import { splitField, type Part } from './expression';
import { labelOf, pageFields, type PageField, type PageValues } from './pageFields';

/** What a field of one item holds. */
export interface FieldReading {
	value: unknown;
	parts: Array<Part & { value: unknown }>; // of an expression
	isJoined: boolean; // whether the parts are joined with text or each other, so that it is text
	takesFromItem: boolean;
	shown: string; // the expression, for a message
}

type FieldReadings = Partial<Record<PageField, FieldReading>>;

/** What one item says of its page. */
export interface PageReading {
	fields: FieldReadings;
	isAutomatic: boolean;
	withoutValue: Partial<Record<PageField, string>>; // the expressions that give nothing
	merchants: unknown[]; // that its columns name, with automatic mapping
}

/** They say which page it is, and for what. */
export const identifyingFields = ['pageName', 'amount', 'paymentPageLinkReference', 'id'] as const;

/** Some CRMs write `false` for none. */
function isNothing(value: unknown): boolean {
	return value === false || isEmptyDeep(value);
}

/** The parts that take from an item, or all if none does. */
function tellingParts({ parts }: FieldReading): FieldReading['parts'] {
	const fromItem = parts.filter(({ takesFromItem }) => takesFromItem);
	return fromItem.length > 0 ? fromItem : parts;
}

/** Whether a field is blank, or nothing but the text around blanks, as "INV-" of `INV-{{ $json.no }}`. */
export function saysNothing(reading: FieldReading | undefined): boolean {
	if (reading === undefined || isNothing(reading.value)) return true;
	return reading.isJoined && tellingParts(reading).every(({ value }) => isNothing(value));
}

/** A list of one value is that value, as in Airtable's lookups, and `false` is nothing in a text. */
function single(field: PageField, value: unknown): unknown {
	const isShort = Array.isArray(value) && value.length <= 1 && field !== 'additionalFields';
	const only: unknown = isShort ? value[0] : value;
	const isNoText = ['switch', 'amount', 'wholeNumber'].includes(pageFields[field].kind);
	return only === false && !isNoText ? null : only;
}

/** A whole column is read from the item: evaluating is by far the greatest part of what one costs. */
function evaluate(context: IExecutePaginationFunctions, { expression, column }: Part): unknown {
	const json: IDataObject = column === undefined ? {} : context.getInputData().json;
	if (column !== undefined && Object.hasOwn(json, column)) return json[column];
	return context.evaluateExpression(expression, context.getItemIndex());
}

function readRaw(
	context: IExecutePaginationFunctions,
	field: PageField,
	raw: unknown,
): FieldReading {
	const chunks = splitField(raw).map((chunk) =>
		typeof chunk === 'string' ? chunk : { ...chunk, value: evaluate(context, chunk) },
	);
	const parts = chunks.filter((chunk) => typeof chunk !== 'string');
	const texts = chunks.filter((chunk) => typeof chunk === 'string');
	// A blank beside the only part makes no text of a number.
	const isJoined = parts.length > 1 || texts.some((text) => trimmed(text) !== '');
	// As n8n joins them, but for `false`.
	const joined = chunks
		.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.value))
		.map((value) => (Boolean(value) || value === 0 ? value : ''))
		.join('');
	const [part] = parts;
	return {
		value: single(field, chunks.length === 0 ? raw : isJoined ? joined : part?.value),
		parts,
		isJoined: isJoined && parts.length > 0,
		takesFromItem: parts.some(({ takesFromItem }) => takesFromItem),
		shown: excerpt(String(raw).replace(/^=/, '')),
	};
}

export function readField(context: IExecutePaginationFunctions, field: PageField): FieldReading {
	return readRaw(context, field, context.getNodeParameter(field, '', { rawExpressions: true }));
}

/** An expression gives `undefined` if its column is missing, or if it fails (fact 21). */
function withoutValueIn(fields: FieldReadings): PageReading['withoutValue'] {
	const shown: PageReading['withoutValue'] = {};
	for (const field of identifyingFields) {
		const reading = fields[field];
		if (reading === undefined || reading.parts.length === 0) continue;
		const isMissing = tellingParts(reading).every(({ value }) => value === undefined);
		if (isMissing) shown[field] = reading.shown;
	}
	return shown;
}

export function toPageReading(fields: FieldReadings): PageReading {
	return { fields, isAutomatic: false, withoutValue: withoutValueIn(fields), merchants: [] };
}

/** Reads the fields of the panel, those with a parameter of their own and those of a collection. */
export function readBelow(
	context: IExecutePaginationFunctions,
	own: readonly PageField[],
	collection: string,
	inCollection: readonly PageField[],
): PageReading {
	const chosen: unknown = context.getNodeParameter(collection, {}, { rawExpressions: true });
	const raw: PageValues = isRecord(chosen) ? chosen : {};
	const fields: FieldReadings = {};
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

function nearColumns(json: IDataObject): Record<string, string[] | undefined> {
	// Without a prototype: a column may be named "constructor".
	const columns = Object.create(null) as Record<string, string[] | undefined>;
	for (const column of Object.keys(json)) (columns[comparableName(column)] ??= []).push(column);
	return columns;
}

function columnFor(field: PageField, json: IDataObject, near: ReturnType<typeof nearColumns>) {
	if (Object.hasOwn(json, field)) return field;
	if (pageFields[field].column === 'exact') return undefined;
	const [column, another] = near[comparableName(field)] ?? [];
	if (another === undefined) return column;
	throw new InvalidFieldError(
		labelOf(field, true),
		`has two columns, ${excerpt(column)} and ${excerpt(another)}`,
		`Keep one of them, or name it '${field}', with an Edit Fields node before this one.`,
	);
}

/**
 * Reads the columns of an item, and the fields that the panel has with automatic mapping, too.
 *
 * @param own those: they come before a column, but for a switch, which has a value in any case
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
	const panel: FieldReadings = {};
	for (const field of own) panel[field] = readField(context, field);
	const found = { ...panel };
	for (const field of fields) {
		const isTyped = field !== 'isFixedAmount' && !isBlank(panel[field]?.value);
		if (pageFields[field].column === 'never' || isTyped) continue;
		const column = columnFor(field, json, near);
		if (column === undefined || (field in panel && isBlank(json[column]))) continue;
		const value = single(field, json[column]);
		found[field] = { value, parts: [], isJoined: false, takesFromItem: true, shown: column };
	}
	const ofMerchant = 'merchantId' in json ? ['merchantId'] : (near.merchantid ?? []);
	return {
		fields: found,
		isAutomatic: true,
		withoutValue: withoutValueIn(panel),
		merchants: ofMerchant.map((column) => json[column]),
	};
}
