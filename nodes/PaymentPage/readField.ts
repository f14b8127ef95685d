import type { IExecutePaginationFunctions } from 'n8n-workflow';

/** What n8n writes when a column is dragged onto a field: `{{ $json.column }}`, `{{ $json['column'] }}`. */
const columnExpression = /^=\{\{ *\$json(?:\.([A-Za-z_]\w*)|\[(["'])([^"'\\]+)\2\]) *\}\}$/;

/** The column that an expression takes over as it is. */
function columnOf(raw: unknown): string | undefined {
	if (typeof raw !== 'string') return undefined;
	const [, afterDot, , inBrackets] = columnExpression.exec(raw) ?? [];
	return afterDot ?? inBrackets;
}

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
 *   or fails, which n8n keeps to itself
 */
export function readField(
	context: IExecutePaginationFunctions,
	name: string,
	raw = rawField(context, name),
): unknown {
	const column = columnOf(raw);
	if (column !== undefined) {
		const { json } = context.getInputData();
		if (Object.hasOwn(json, column)) return json[column];
	}
	return context.getNodeParameter(name, '');
}

/** The expressions in the text of a field, as n8n finds them; none in a fixed value. */
export function expressionParts(raw: unknown): string[] {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return [];
	return raw.match(/\{\{[^]*?\}\}/g) ?? [];
}

/**
 * Whether an expression, or one of several in a text, gives nothing. In a text, n8n writes nothing
 * for it (n8n facts, "Expressions"), so that "1{{ $json.missing }}" would become 1.
 *
 * @param value of the whole field
 */
export function givesNothing(
	context: IExecutePaginationFunctions,
	raw: unknown,
	value: unknown,
): boolean {
	if (value === undefined) return true;
	const parts = expressionParts(raw);
	if (raw === `=${parts[0]}`) return false;
	const item = context.getItemIndex();
	return parts.some((part) => context.evaluateExpression(part, item) === undefined);
}
