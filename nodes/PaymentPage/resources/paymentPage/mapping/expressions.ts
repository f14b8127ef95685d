/** What can be told of a field from its text in the workflow, before n8n evaluates it. */

import { trimmed } from '../../../../shared/values';

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

/** A field without the blanks around its only expression, so that its value need not become text. */
export function withoutBlanksAround(raw: unknown): unknown {
	const [expression, ...others] = expressionsIn(raw);
	if (typeof raw !== 'string' || expression === undefined || others.length > 0) return raw;
	return trimmed(raw.slice(1)) === expression ? `=${expression}` : raw;
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

/** The members of a path: `.a`, `?.a`, `["a"]`, `[0]`; not the name of a method that is called. */
const members =
	/(?:\??\.[A-Za-z_$][\w$]*(?![\w$]|\s*\()|(?:\?\.)?\[\s*(?:(?<quote>["'`]).*?\k<quote>|\d+)\s*\])+/
		.source;

const columnPath = new RegExp(`\\$(?:json|input\\.item\\.json)(${members})`, 'g');

const nodeItem =
	/(?:\$\((?<around>["'`]).*?\k<around>\)\.(?:item|first\(\)|last\(\))|\$node\[[^\]]*\])\.json/
		.source;

const otherNodePath = new RegExp(`${nodeItem}${members}`, 'g');

const member = /\.([\w$]+)|\[\s*(?:(["'`])(.*?)\2|(\d+))\s*\]/g;

const quoted = /(["'`])(?:\\.|(?!\1)[^\\])*\1/g;

/** The paths by which a field takes columns of the item: `$json.order.total` is order, total. */
export function columnPathsIn(raw: unknown): string[][] {
	return expressionsIn(raw).flatMap((expression) =>
		[...expression.matchAll(columnPath)].map(([, path = '']) =>
			[...path.matchAll(member)].map(
				([, afterDot, , inQuotes, position]) => afterDot ?? inQuotes ?? position ?? '',
			),
		),
	);
}

/** What a field takes of other nodes, as expressions: `$("Rows").item.json.total`. */
export function otherNodePathsIn(raw: unknown): string[] {
	return expressionsIn(raw).flatMap((expression) =>
		[...expression.matchAll(otherNodePath)].map(([path]) => path),
	);
}

/**
 * Whether a field that is one expression calculates, and whether a text that it gives can only come
 * of `+` between texts: nothing else in it makes one.
 */
export function calculation(raw: unknown): { calculates: boolean; joins: boolean } {
	if (!isOneExpression(raw)) return { calculates: false, joins: false };
	const rest = (expressionsIn(raw)[0] ?? '').replace(columnPath, 'x').replace(otherNodePath, 'x');
	const hasText = /["'`]/.test(rest);
	return {
		calculates: /[-+*/%]/.test(rest.replace(quoted, '')),
		joins: rest.includes('+') && !hasText && !/[\w\])]\s*\(/.test(rest),
	};
}

/** Whether the expressions in a field take nothing but columns: no other node, index or variable. */
export function takesColumnsAlone(raw: unknown): boolean {
	// In a template literal, `${` takes nothing by itself.
	return expressionsIn(raw).every(
		(expression) => !/\$(?!\{)/.test(expression.replace(columnInExpression, '')),
	);
}

/** Whether one of the expressions in a field takes no column, as `{{ $itemIndex }}`. */
export function hasExpressionWithoutColumns(raw: unknown): boolean {
	return expressionsIn(raw).some((expression) => columnsIn(`=${expression}`).length === 0);
}

/** Whether a field takes something from another node: `$("Node")` and its older forms. */
export function takesFromOtherNode(raw: unknown): boolean {
	return expressionsIn(raw).some((expression) => otherNode.test(expression));
}

/** Whether a field says what a blank column means: `a ?? b`, `a || b`, `a ? b : c`, `$if(…)`. */
export function hasFallback(raw: unknown): boolean {
	return expressionsIn(raw).some((expression) => fallback.test(expression));
}
