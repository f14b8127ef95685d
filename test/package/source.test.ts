import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';
import { scan } from './scan';
import { copyOf, removeFolders } from './temporaryFolders';

// A scan takes 3 s, and many times that on a busy machine.
jest.setTimeout(120_000);

const node = 'nodes/PaymentPage/PaymentPage.node.ts';

afterAll(removeFolders);

describe("n8n's scan of the source", () => {
	test('reports nothing', () => {
		expect(scan('source', projectRoot)).toEqual({ passed: true, report: '' });
	});

	test.each([
		[
			'a node that reads the environment',
			'no-restricted-globals',
			(folder: string) => {
				appendFileSync(path.join(folder, node), '\nexport const home = process.env.HOME;\n');
			},
		],
		[
			'a comment that switches a rule off',
			'no-console',
			(folder: string) => {
				const lines = '\n// eslint-disable-next-line no-console\nconsole.log("hidden");\n';
				appendFileSync(path.join(folder, node), lines);
			},
		],
		[
			'an icon that is not there',
			'icon-validation',
			(folder: string) => {
				const text = readFileSync(path.join(folder, node), 'utf8');
				writeFileSync(path.join(folder, node), text.replace('paymentPage.svg', 'missing.svg'));
			},
		],
	])('would report %s', (_what, rule, spoil) => {
		const copy = copyOf(projectRoot, ['package.json', 'nodes', 'credentials', 'icons']);
		spoil(copy);
		const verdict = scan('source', copy);
		expect(verdict.passed).toBe(false);
		expect(verdict.report).toContain(rule);
	});
});
