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

function rulesFor(file: string, config: string) {
	const printed = eslint(['--config', config, '--print-config', file]);
	return (printed as { rules: Record<string, [severity: number]> }).rules;
}

/** A rule of ESLint itself that a file of the package breaks on purpose (eslint.config.mjs). */
const knownException = 'no-control-regex';

test.each([node, credential, 'package.json'])("all of n8n's rules are on for %s", (file) => {
	const theirs = Object.entries(rulesFor(file, scaffolded));
	const wanted = theirs.filter(([name, [level]]) => level > 0 && name !== knownException);
	expect(wanted.length).toBeGreaterThan(50);
	const ours = rulesFor(file, 'eslint.config.mjs');
	// A warning is an error.
	expect(wanted.filter(([name]) => ours[name]?.[0] !== 2)).toEqual([]);
});

test.each([
	[node, /$/, '\nexport const home = process.env.HOME;\n', 'no-restricted-globals'],
	['package.json', /"peerDependencies"/, '"dependencies"', 'no-runtime-dependencies'],
])('%s would be reported if it broke a rule of n8n', (file, place, fault, rule) => {
	const text = readFileSync(path.join(projectRoot, file), 'utf8').replace(place, fault);
	expect(text).toContain(fault);
	const [report] = eslint(['--format', 'json', '--stdin', '--stdin-filename', file], text) as [
		{ messages: Array<{ ruleId: string }> },
	];
	const broken = report.messages.map(({ ruleId }) => ruleId);
	expect(broken).toContain(`@n8n/community-nodes/${rule}`);
});
