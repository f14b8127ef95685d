import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';

import { isBlank, isEmptyDeep } from '../../../../shared/values';
import { InvalidFieldError } from '../../../../shared/errors';
import type { PageField, PageValues } from '../pageFields';
import {
	columnsIn,
	hasExpressionWithoutColumns,
	hasFallback,
	isOneExpression,
	takesFromOtherNode,
} from './expressions';
import { evaluateParts } from './readField';

/**
 * Whether it is not the item alone that says which page is meant: a key has an expression without
 * columns, or none at all, or another node says it.
 */
function isNamedElsewhere({ id, pageName, paymentPageLinkReference }: PageValues): boolean {
	return (
		[id, paymentPageLinkReference].some(
			(key) => !isBlank(key) && (columnsIn(key).length === 0 || hasExpressionWithoutColumns(key)),
		) || [id, pageName, paymentPageLinkReference].some(takesFromOtherNode)
	);
}

/** Whether a field says what page a blank column means. */
function namesBlank({ id, pageName, paymentPageLinkReference }: PageValues): boolean {
	return [id, pageName, paymentPageLinkReference].some(hasFallback);
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
	const isGiven = (column: string) => Object.hasOwn(json, column) && !isEmptyDeep(json[column]);
	if (isNamedElsewhere(raw)) return;
	if (isNamedByItem && !namesBlank(raw) && !columns.some(isGiven)) throw emptyItem(columns);
	const isRow = Object.keys(json).length > 1;
	const takesColumns = Object.values(raw).some((field) => columnsIn(field).length > 0);
	if (isRow && isEmptyDeep(json) && takesColumns) throw emptyItem([]);
}

/**
 * Refuses a page name that is nothing but the text around blank values, such as " ()", when neither
 * amount nor reference says more. The values may come from another node, so they are evaluated.
 *
 * @param values of the fields
 * @throws InvalidFieldError
 */
export function refuseEmptyName(
	context: IExecutePaginationFunctions,
	raw: PageValues,
	values: PageValues,
): void {
	const { pageName, amount, paymentPageLinkReference } = values;
	if (isBlank(pageName) || !isBlank(amount) || !isBlank(paymentPageLinkReference)) return;
	if (!takesFromOtherNode(raw.pageName) || isOneExpression(raw.pageName)) return;
	if (evaluateParts(context, raw.pageName).every(isEmptyDeep)) throw emptyItem([]);
}

/** @param columns that the page needs and that have no value, if it is not all of them */
export function emptyItem(columns: readonly string[]): InvalidFieldError {
	const names = [...new Set(columns)].join(', ');
	return new InvalidFieldError(
		'The item',
		names === '' ? 'is empty' : `is empty: it has no value for ${names}`,
		'Remove empty rows with a Filter node before this node. If the row is not empty, check its column names.',
	);
}
