import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../scripts/shared/root';

/** More than one word: what a person reads, where it is not a form's label, is a phrase at least. */
const phrase = /\S\s+\S/;

/** A text as it stands in the code: `${…}` shows where a value goes. */
function literalOf(node: ts.Node, file: ts.SourceFile): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	return ts.isTemplateExpression(node) ? node.getText(file).slice(1, -1) : undefined;
}

/** Every text of a file that is longer than a word, in its order. */
function phrasesIn(name: string): string[] {
	const text = readFileSync(path.join(projectRoot, name), 'utf8');
	const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		const literal = literalOf(node, file);
		if (literal !== undefined && phrase.test(literal)) found.push(literal);
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

/** The texts in the code of a folder that are longer than a word, by file. */
export function phrasesOf(folder: string): Array<[file: string, phrases: string[]]> {
	return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => path.posix.join(folder, ...name.split(path.sep)))
		.sort()
		.map((name) => [name, phrasesIn(name)]);
}
