import { readdirSync, readFileSync } from 'node:fs';
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
	...[
		'displayName',
		'description',
		'placeholder',
		'action',
		'hint',
		'header',
		'active',
		'inactive',
	],
	...['activationHint', 'subtitle'],
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

const forms = {
	'form of Payment Page': formLines(new PaymentPage().description),
	'form of Payment Page Trigger': formLines(new PaymentPageTrigger().description),
	'form of the private key': formLines(new PaymentPagesPrivateKeyApi()),
	'form of the API key': formLines(new PaymentPagesApiKeyApi()),
};
const inForms = new Set(
	Object.values(forms)
		.flat()
		.flatMap((line) => line.split(' | ')),
);

/** Texts of more than one word that no person reads: proofs, headers, and what keys are made of. */
const notForPeople =
	/^(url token|webhook secret|test key|fingerprint key|merchant … …|n8n-nodes-|Bearer …|application\/json|secret header|signature header|body\||\^|timestamp\.body|id\.timestamp|id …)/;

/** A text of the code as a person reads it: `…` shows where a value goes. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

const isPhrase = (text: string) => /\p{L}\S*\s+\S*\p{L}/u.test(text) && !notForPeople.test(text);

/** The texts of a file, those of one statement, error or list in one line: a message and its advice. */
function sentencesIn(name: string): string[] {
	const text = readFileSync(path.join(projectRoot, name), 'utf8');
	const lines = new Map<ts.Node, string[]>();
	const visit = (node: ts.Node, around: ts.Node): void => {
		const isLine =
			ts.isNewExpression(node) || ts.isArrayLiteralExpression(node) || ts.isStatement(node);
		const line = isLine && !ts.isBlock(node) ? node : around;
		const found = textOf(node)?.trim();
		if (found !== undefined && isPhrase(found)) {
			lines.set(line, [...(lines.get(line) ?? []), found]);
		}
		ts.forEachChild(node, (child) => visit(child, line));
	};
	const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
	visit(file, file);
	return [...lines.values()]
		.map((texts) => texts.filter((one) => !inForms.has(one)).join(' | '))
		.filter(Boolean);
}

function sentencesOf(...folders: string[]): string[] {
	return folders
		.flatMap((folder) =>
			readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
				.filter((name) => name.endsWith('.ts'))
				.map((name) => path.join(folder, name)),
		)
		.sort()
		.flatMap(sentencesIn);
}

const texts: Record<string, string[]> = {
	...forms,
	// Errors, advice and log lines. All phrases of the code are taken, so that none can be missed.
	'sentences of Payment Page': sentencesOf('nodes/PaymentPage'),
	'sentences of Payment Page Trigger': sentencesOf('nodes/PaymentPageTrigger'),
	'sentences of both nodes': sentencesOf('nodes/shared', 'credentials'),
};

test.each(Object.entries(texts))('%s', (_name, lines) => {
	expect(`\n${[...new Set(lines)].join('\n')}\n`).toMatchSnapshot();
});

// n8n's UX guidelines: such words do not help anybody. What is logged or thrown is text here, too.
test('no text has words of blame', () => {
	const blame = /\b(error|problem|failure|mistake)s?\b/i;
	expect(
		Object.values(texts)
			.flat()
			.filter((line) => blame.test(line)),
	).toEqual([]);
});
