import type { IDataObject } from 'n8n-workflow';

import { expressionParts } from '../../readField';
import { isBlank } from '../../../shared/fieldValues';
import { InvalidFieldError } from '../../../shared/invalidFieldError';
import type { PageField, PageValues } from '../../../shared/pageFields';

/** `$json.column`, `$json["column"]`, and the same with `$input.item.json`. */
const columnInExpression =
	/\$(?:json|input\.item\.json)(?:\??\.([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*(["'`])(.*?)\2\s*\])/g;

/** Another node (`$("Node")` and its older forms), or a value for a blank column (`??`, `||`, `a ? b : c`). */
const otherSource = /\$\(|\$node\b|\$items\b|\|\||\?[^.]/;

/** Whether a value holds nothing, not even in a list or an object. */
export function isHollow(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isBlank(value);
	// A date has no members of its own.
	return !('toJSON' in value) && Object.values(value).every(isHollow);
}

/** The expressions of a field, without the fixed text around them. */
function expressionsIn(raw: unknown): string {
	return expressionParts(raw).join(' ');
}

/** The columns of the item that a field takes; none for a fixed value. */
function columnsIn(raw: unknown): string[] {
	return [...expressionsIn(raw).matchAll(columnInExpression)].map(
		([, afterDot, , inBrackets]) => afterDot ?? inBrackets ?? '',
	);
}

/** Whether it is not the item alone that says which page is meant. */
function isNamedElsewhere(raw: PageValues): boolean {
	const { id, pageName, paymentPageLinkReference } = raw;
	return (
		[id, paymentPageLinkReference].some((key) => !isBlank(key) && columnsIn(key).length === 0) ||
		[id, pageName, paymentPageLinkReference].some((name) => otherSource.test(expressionsIn(name)))
	);
}

/**
 * Refuses an item that says nothing, such as the last rows of a sheet. It must not become a page even
 * if the name has fixed text around its columns, nor if a node before has numbered the row.
 *
 * Fields that take nothing from the item make a page of any item, also of the empty one that a
 * trigger gives; and a single blank column may be blank on purpose.
 *
 * @param raw what the fields hold in the workflow
 * @param decisive fields that say which page it is, and for what
 * @throws InvalidFieldError when all columns that the decisive fields take are blank or missing
 */
export function refuseEmptyItem(
	json: IDataObject,
	raw: PageValues,
	decisive: readonly PageField[],
): void {
	const columns = decisive.flatMap((field) => columnsIn(raw[field]));
	const isNamedByItem = decisive.some(
		(field) => field !== 'amount' && columnsIn(raw[field]).length > 0,
	);
	const isGiven = (column: string) => Object.hasOwn(json, column) && !isHollow(json[column]);
	if (isNamedByItem && !isNamedElsewhere(raw) && !columns.some(isGiven)) throw emptyItem(columns);
	const isRow = Object.keys(json).length > 1;
	if (isRow && isHollow(json) && Object.values(raw).some((field) => columnsIn(field).length > 0)) {
		throw emptyItem([]);
	}
}

/** @param columns that the page needs and that have no value, if it is not all of them */
export function emptyItem(columns: readonly string[]): InvalidFieldError {
	const names = [...new Set(columns)].join(', ');
	return new InvalidFieldError(
		'The item',
		names === '' ? 'is empty' : `is empty: it has no value in ${names}`,
		'Remove empty rows with a Filter node before this node. If the row is not empty, check the names of its columns.',
	);
}
