import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';

jest.setTimeout(120_000);

/** The configuration that n8n's scaffolding gives to a new package. */
const scaffolded =
	'node_modules/@n8n/node-cli/dist/template/templates/shared/default/eslint.config.mjs';

/** What ESLint has for a file, as `npm run lint` runs it. */
function rulesFor(file: string, config: string) {
	const program = path.join(projectRoot, 'node_modules', '.bin', 'eslint');
	const args = ['--config', config, '--print-config', file];
	// Under NODE_ENV=test, which jest sets, n8n's rules take every file for their own fixture.
	const env = { ...process.env, NODE_ENV: 'production' };
	const printed = execFileSync(program, args, { cwd: projectRoot, encoding: 'utf8', env });
	return (JSON.parse(printed) as { rules: Record<string, [severity: number]> }).rules;
}

/** A rule of ESLint itself that a file of the package breaks on purpose (eslint.config.mjs). */
const knownException = 'no-control-regex';

// That such rules report what breaks them, the test of n8n's scan sees.
test.each([
	'nodes/PaymentPage/PaymentPage.node.ts',
	'credentials/PaymentPagesApiKeyApi.credentials.ts',
	'package.json',
])("all of n8n's rules are on for %s, warnings as errors", (file) => {
	const theirs = Object.entries(rulesFor(file, scaffolded));
	const wanted = theirs.filter(([name, [level]]) => level > 0 && name !== knownException);
	expect(wanted.length).toBeGreaterThan(50);
	const ours = rulesFor(file, 'eslint.config.mjs');
	expect(wanted.filter(([name]) => ours[name]?.[0] !== 2)).toEqual([]);
});
