import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { isBlank, isEmptyDeep } from '../../../../shared/values';
import { excerpt, InvalidFieldError } from '../../../../shared/errors';
import {
	columnsIn,
	expressionsIn,
	hasFallback,
	isOneExpression,
	takesColumnsAlone,
} from './expressions';
import { evaluateParts } from './readField';

/**
 * Refuses a key, such as a reference, that is nothing but the text around blank columns, as "INV-" of
 * `INV-{{ $json.no }}`: every such row would have the same one.
 *
 * @param label of the field
 * @param raw what the field holds in the workflow
 * @param value of the field
 * @throws InvalidFieldError
 */
export function refuseFixedText(
	context: IExecutePaginationFunctions,
	label: string,
	raw: unknown,
	value: unknown,
): void {
	if (isBlank(value) || expressionsIn(raw).length === 0 || hasFallback(raw)) return;
	if (!(isOneExpression(raw) ? joinsBlanks(context, raw) : onlyHollowParts(context, raw))) return;
	throw new InvalidFieldError(
		label,
		`has only fixed text, because its columns are empty: ${excerpt(value)}`,
		'Fill in the column, or define what an empty one means, for example {{ $json.no ? "INV-" + $json.no : "" }} to send none.',
	);
}

/** Whether one expression has made something of blank columns alone, as `"INV-" + $json.no` does. */
function joinsBlanks(context: IExecutePaginationFunctions, raw: unknown): boolean {
	const { json } = context.getInputData();
	const columns = columnsIn(raw);
	return (
		columns.length > 0 &&
		takesColumnsAlone(raw) &&
		columns.every((column) => !Object.hasOwn(json, column) || isEmptyDeep(json[column]))
	);
}

function onlyHollowParts(context: IExecutePaginationFunctions, raw: unknown): boolean {
	return evaluateParts(context, raw).every(isEmptyDeep);
}
