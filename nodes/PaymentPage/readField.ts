import type { IExecutePaginationFunctions } from 'n8n-workflow';

/** What n8n writes when a column is dragged onto a field: `{{ $json.column }}`, `{{ $json['column'] }}`. */
const columnExpression = /^=\{\{ *\$json(?:\.([A-Za-z_]\w*)|\[(["'])([^"'\\]+)\2\]) *\}\}$/;

/** The column that an expression takes over as it is. */
function columnOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const [, afterDot, , inBrackets] = columnExpression.exec(value) ?? [];
	return afterDot ?? inBrackets;
}

/**
 * Reads a parameter of one item. One that only takes over a column is read from the item itself:
 * evaluating expressions is by far the greatest part of what an item costs, and n8n has evaluated
 * each of them twice by now.
 *
 * @param name of the parameter, or its path
 */
export function readField(context: IExecutePaginationFunctions, name: string): unknown {
	const column = columnOf(context.getNodeParameter(name, '', { rawExpressions: true }));
	if (column !== undefined) {
		const { json } = context.getInputData();
		if (Object.hasOwn(json, column)) return json[column];
	}
	return context.getNodeParameter(name, '');
}
