import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';

// ESLint reads all types of the project for the first file.
jest.setTimeout(120_000);

/** The configuration that n8n's scaffolding gives to a new package. */
const scaffolded =
	'node_modules/@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs';

const node = 'nodes/PaymentPage/PaymentPage.node.ts';
const credential = 'credentials/PaymentPagesApiKeyApi.credentials.ts';

/** Runs ESLint as `npm run lint` does, and gives what it prints as JSON. */
function eslint(args: string[], input?: string): unknown {
	const program = path.join(projectRoot, 'node_modules', '.bin', 'eslint');
	// Under NODE_ENV=test, which jest sets, n8n's rules take every file for their own fixture.
	// For a single run, its parser would read the file on the disk instead of the text that it is given.
	const env = { ...process.env, NODE_ENV: 'production', TSESTREE_SINGLE_RUN: 'false' };
	const options = { cwd: projectRoot, encoding: 'utf8', env, input } as const;
	const { stdout, stderr } = spawnSync(program, args, options);
	if (stdout === '') throw new Error(`ESLint did not run: ${stderr}`);
	return JSON.parse(stdout);
}

type Rules = Record<string, [severity: number, ...options: unknown[]]>;

function rulesFor(file: string, config = 'eslint.config.mjs'): Rules {
	return (eslint(['--config', config, '--print-config', file]) as { rules: Rules }).rules;
}

/** Names of the rules that ESLint says are broken. */
function broken(file: string, text: string): string[] {
	const args = ['--format', 'json', '--stdin', '--stdin-filename', file];
	const [report] = eslint(args, text) as [{ messages: Array<{ ruleId: string }> }];
	return report.messages.map(({ ruleId }) => ruleId);
}

/** A rule of ESLint itself that a file of the package breaks on purpose (eslint.config.mjs). */
const knownException = 'no-control-regex';

describe.each([node, credential, 'package.json'])("n8n's rules for %s", (file) => {
	test('are all on, warnings as errors', () => {
		const theirs = Object.entries(rulesFor(file, scaffolded));
		const wanted = theirs.filter(([name, [level]]) => level > 0 && name !== knownException);
		expect(wanted.length).toBeGreaterThan(50);
		const ours = rulesFor(file);
		expect(wanted.filter(([name]) => ours[name]?.[0] !== 2).map(([name]) => name)).toEqual([]);
	});
});

test.each([
	[
		node,
		(text: string) => `${text}\nexport const home = process.env.HOME;\n`,
		'@n8n/community-nodes/no-restricted-globals',
	],
	[
		'package.json',
		(text: string) => text.replace(/"peerDependencies"/, '"dependencies"'),
		'@n8n/community-nodes/no-runtime-dependencies',
	],
])('%s (%#) would be reported if it broke a rule of n8n', (file, spoil, rule) => {
	const text = readFileSync(path.join(projectRoot, file), 'utf8');
	expect(spoil(text)).not.toBe(text);
	expect(broken(file, spoil(text))).toContain(rule);
});
