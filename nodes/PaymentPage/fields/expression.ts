import { ExpressionParser } from 'n8n-workflow';

/** All that is read of the text of an expression; everything else is judged by values. */

/** One `{{ }}` of a field. */
export interface Part {
	expression: string; // with its brackets
	column: string | undefined; // the column that it takes and nothing else
	takesFromItem: boolean;
	holdsPlus: boolean; // whether it holds a "+" that may join texts
}

/** `$json.column` and `$json["column"]`, as n8n writes them when a column is dragged onto a field. */
const wholeColumn =
	/^\s*\$json(?:\.([\p{ID_Start}$_][\p{ID_Continue}$]*)|\[\s*(?:'((?:[^'\\]|\\['"\\])*)'|"((?:[^"\\]|\\['"\\])*)")\s*\])\s*$/u;

/** Not `$("Node").first()`, which is the same for all items. */
const itemSource = /\$json\b|\$input\b|\$node\b|\$itemIndex\b|\.item\b/;

/** Quotation marks, comments, and a regular expression, which a division can't be taken for. */
const quoted =
	/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\$]|\$(?!\{))*`|\/\*[^]*?\*\/|\/\/.*|(?<=(?:^|[(,=:[!&|?{};+])\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//g;

function toPart(code: string): Part {
	const [, afterDot, inSingle, inDouble] = wholeColumn.exec(code) ?? [];
	return {
		expression: `{{${code}}}`,
		column: afterDot ?? (inSingle ?? inDouble)?.replace(/\\(.)/g, '$1'),
		takesFromItem: itemSource.test(code),
		holdsPlus: code.replace(quoted, ' ').includes('+'),
	};
}

/** The parts of a field and the texts around them, as n8n splits it; none for a fixed value. */
export function splitField(raw: unknown): Array<string | Part> {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return [];
	return ExpressionParser.splitExpression(raw.slice(1)).map((chunk) =>
		chunk.type === 'code' ? toPart(chunk.text) : chunk.text,
	);
}
