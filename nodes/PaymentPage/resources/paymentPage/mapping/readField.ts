import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { columnTakenOver, expressionsIn, isOneExpression } from './expressions';

/** What a field holds in the workflow: a fixed value, or an expression, which starts with "=". */
export function rawField(context: IExecutePaginationFunctions, name: string): unknown {
	return context.getNodeParameter(name, '', { rawExpressions: true });
}

/**
 * Reads a parameter of one item. One that only takes over a column is read from the item itself:
 * evaluating expressions is by far the greatest part of what an item costs, and n8n has evaluated
 * each of them twice by now.
 *
 * @param name of the parameter, or its path
 * @returns undefined for an expression that gives nothing: it names a column that the item has not,
 *   or fails, which n8n keeps to itself (n8n facts, "Expressions")
 */
export function readField(
	context: IExecutePaginationFunctions,
	name: string,
	raw = rawField(context, name),
): unknown {
	const column = ownColumn(context, raw);
	if (column !== undefined) return context.getInputData().json[column];
	return context.getNodeParameter(name, '');
}

/** The column that a field takes over as it is, if the item has it. */
function ownColumn(context: IExecutePaginationFunctions, raw: unknown): string | undefined {
	const column = columnTakenOver(raw);
	const isThere = column !== undefined && Object.hasOwn(context.getInputData().json, column);
	return isThere ? column : undefined;
}

/** What each expression in a field gives; n8n makes one text of them and of what is around them. */
export function evaluateParts(context: IExecutePaginationFunctions, raw: unknown): unknown[] {
	const item = context.getItemIndex();
	return expressionsIn(raw).map((expression) => {
		const column = ownColumn(context, `=${expression}`);
		if (column !== undefined) return context.getInputData().json[column];
		return context.evaluateExpression(expression, item);
	});
}

/**
 * Whether an expression, or one of several in a text, gives nothing. n8n writes nothing for it into a
 * text, so that "1{{ $json.missing }}" would become 1.
 *
 * @param value of the whole field
 */
export function givesNothing(
	context: IExecutePaginationFunctions,
	raw: unknown,
	value: unknown,
): boolean {
	if (value === undefined) return true;
	return !isOneExpression(raw) && evaluateParts(context, raw).includes(undefined);
}
