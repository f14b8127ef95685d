import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { PaymentPagesApiKeyApi } from '../../credentials/PaymentPagesApiKeyApi.credentials';
import { PaymentPagesPrivateKeyApi } from '../../credentials/PaymentPagesPrivateKeyApi.credentials';
import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { PaymentPageTrigger } from '../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';
import { projectRoot } from '../../scripts/shared/root';

/**
 * What a person reads, so that a change of wording is seen and read in review:
 * `__snapshots__/texts.test.ts.snap`.
 */

/** Keys of a description under which n8n shows text to a person. */
const shown = [
	...['displayName', 'description', 'placeholder', 'action', 'hint', 'subtitle'],
	...['eventTriggerDescription', 'header', 'active', 'inactive', 'activationHint'],
];

/** One line for each part of a form: its label, what it is for, its example; a choice has a name. */
function formLines(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(formLines);
	if (typeof value !== 'object' || value === null) return [];
	const keys = 'value' in value ? ['name', ...shown] : shown;
	const members = Object.entries(value);
	const own = members.flatMap(([key, text]) =>
		keys.includes(key) && typeof text === 'string' && text !== '' ? [text] : [],
	);
	return [own.join(' | '), ...members.flatMap(([, member]) => formLines(member))].filter(Boolean);
}

const forms: Record<string, () => string[]> = {
	'form of Payment Page': () => formLines(new PaymentPage().description),
	'form of Payment Page Trigger': () => formLines(new PaymentPageTrigger().description),
	'forms of the keys': () =>
		[new PaymentPagesPrivateKeyApi(), new PaymentPagesApiKeyApi()].flatMap(formLines),
};
const inForms = Object.values(forms).flatMap((lines) => lines().join(' | ').split(' | '));

/** Texts of more than one word that no person reads: proofs, headers, and what keys are made of. */
const notForPeople =
	/^(url token|webhook secret|test key|fingerprint key|merchant … …|n8n-nodes-|Bearer …|application\/json|secret header|signature header|body\||\^|timestamp\.body|id\.timestamp|id …)/;

/** A text of the code as a person reads it: `…` shows where a value goes. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text.trim();
	if (!ts.isTemplateExpression(node)) return undefined;
	const others = node.templateSpans.map(({ literal }) => literal.text);
	return [node.head.text, ...others].join('…').trim();
}

/** Whether it is for people, and no name or text of a form, which stands there. */
const isNew = (text: string) =>
	/\p{L}\S*\s+\S*\p{L}/u.test(text) &&
	!notForPeople.test(text) &&
	!inForms.includes(text.replace(/^'(.*)'$/, '$1'));

/** The texts of a file, in one line those of one function, or of one list in a table. */
function sentencesIn(name: string): string[] {
	const lines = new Map<ts.Node, Set<string>>();
	const visit = (node: ts.Node, line: ts.Node): void => {
		const text = textOf(node);
		if (text !== undefined && isNew(text)) {
			lines.set(line, (lines.get(line) ?? new Set()).add(text));
		}
		const starts = [ts.isFunctionLike, ts.isArrayLiteralExpression, ts.isStatement];
		const isNext = !ts.isFunctionLike(line) && starts.some((is) => is(node));
		ts.forEachChild(node, (child) => visit(child, isNext ? node : line));
	};
	const text = readFileSync(path.join(projectRoot, name), 'utf8');
	const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
	visit(file, file);
	return [...lines.values()].map((texts) => [...texts].join(' | '));
}

function sentencesOf(folders: string): () => string[] {
	const files = globSync(`${folders}/**/*.ts`, { cwd: projectRoot }).sort();
	const sentences = files.flatMap(sentencesIn);
	return () => sentences;
}

const texts: typeof forms = {
	...forms,
	// Errors, advice and log lines. All phrases of the code are taken, so that none can be missed.
	'sentences of Payment Page': sentencesOf('nodes/PaymentPage'),
	'sentences of Payment Page Trigger': sentencesOf('nodes/PaymentPageTrigger'),
	'sentences of both nodes': sentencesOf('{nodes/shared,credentials}'),
};

// What breaks the nodes on purpose writes into their code, too (`npm run test:mutation`).
const told = Object.entries('__stryker__' in globalThis ? forms : texts);

test.each(told)('%s', (_name, lines) => {
	expect(`\n${[...new Set(lines())].join('\n')}\n`).toMatchSnapshot();
});

// n8n's UX guidelines: such words do not help anybody. What is logged or thrown is text here, too.
test('no text has words of blame', () => {
	const all = Object.values(texts).flatMap((lines) => lines());
	expect(all.filter((line) => /\b(error|problem|failure|mistake)s?\b/i.test(line))).toEqual([]);
});
