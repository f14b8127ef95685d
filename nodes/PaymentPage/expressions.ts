/** What can be told of a field from its text in the workflow, before n8n evaluates it. */

/** What n8n writes when a column is dragged onto a field: `{{ $json.column }}`, `{{ $json['column'] }}`. */
const wholeColumn = /^=\{\{ *\$json(?:\.([A-Za-z_]\w*)|\[(["'])([^"'\\]+)\2\]) *\}\}$/;

/** `$json.column`, `$json["column"]`, and the same with `$input.item.json`. */
const columnInExpression =
	/\$(?:json|input\.item\.json)(?:\??\.([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*(["'`])(.*?)\2\s*\])/g;

const otherNode = /\$\(|\$node\b|\$items\b/;

const fallback = /\|\||\?[^.]|\$if/;

/** The expressions in a field, as n8n finds them; none in a fixed value. */
export function expressionsIn(raw: unknown): string[] {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return [];
	return raw.match(/\{\{[^]*?\}\}/g) ?? [];
}

/** Whether a field is one expression and nothing else, so that n8n does not make text of its value. */
export function isOneExpression(raw: unknown): boolean {
	return raw === `=${expressionsIn(raw)[0]}`;
}

/** The column that a field takes over as it is. */
export function columnTakenOver(raw: unknown): string | undefined {
	if (typeof raw !== 'string') return undefined;
	const [, afterDot, , inBrackets] = wholeColumn.exec(raw) ?? [];
	return afterDot ?? inBrackets;
}

/** The columns of the item that a field takes; none for a fixed value. */
export function columnsIn(raw: unknown): string[] {
	return expressionsIn(raw).flatMap((expression) =>
		[...expression.matchAll(columnInExpression)].map(
			([, afterDot, , inBrackets]) => afterDot ?? inBrackets ?? '',
		),
	);
}

/** Whether the expressions in a field take nothing but columns: no other node, index or variable. */
export function takesColumnsAlone(raw: unknown): boolean {
	// In a template literal, `${` takes nothing by itself.
	return expressionsIn(raw).every(
		(expression) => !/\$(?!\{)/.test(expression.replace(columnInExpression, '')),
	);
}

/** Whether a field takes something from another node: `$("Node")` and its older forms. */
export function takesFromOtherNode(raw: unknown): boolean {
	return expressionsIn(raw).some((expression) => otherNode.test(expression));
}

/** Whether a field says what a blank column means: `a ?? b`, `a || b`, `a ? b : c`, `$if(…)`. */
export function hasFallback(raw: unknown): boolean {
	return expressionsIn(raw).some((expression) => fallback.test(expression));
}
