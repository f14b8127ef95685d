import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import packageJson from '../../package.json';
import { projectRoot } from '../../scripts/shared/root';
import { makeFolder } from '../support/temporaryFolders';

/** Runs a command of the release in a folder of these files, whose programs come before others. */
function run(command: string, files: Record<string, string>, environment: NodeJS.ProcessEnv) {
	const cwd = makeFolder();
	for (const [name, text] of Object.entries(files)) {
		writeFileSync(path.join(cwd, name), text, { mode: 0o755 });
	}
	const env = { PATH: `${cwd}:${process.env.PATH}`, RUNNER_TEMP: cwd, ...environment };
	return spawnSync('bash', ['-e', '-c', command], { cwd, env, encoding: 'utf8' });
}

const [own, placeholder] = ['https://github.com/me/it', 'https://payment-pages.example/n8n'];

test.each([
	['passes', own, '## [1.2.0] - 2026-11-28\n', 0, /^$/],
	['shows a placeholder', placeholder, '## [1.2.0] - 2026-11-28\n', 1, /^nodes:1:/m],
	['stops', own, '## [1.2.0] - Unreleased\n', 1, /no date in CHANGELOG\.md/],
	['stops', own, '## [1.1.0] - 2026-11-28\n', 1, /no date in CHANGELOG\.md/],
])('npm run publish:check %s for %s and %j', (_what, homepage, changelog, status, output) => {
	const files = { 'package.json': '', credentials: '', nodes: homepage, 'CHANGELOG.md': changelog };
	const ended = run(packageJson.scripts['publish:check'], files, { npm_package_version: '1.2.0' });
	expect(ended).toMatchObject({ status, stdout: expect.stringMatching(output) });
});

const workflow = readFileSync(path.join(projectRoot, '.github/workflows/publish.yml'), 'utf8');
type Workflow = { jobs: { publish: { steps: Array<{ run?: string }> } } };
const lastStep = (parse(workflow) as Workflow).jobs.publish.steps.at(-1)?.run ?? '';

const changelog = `# Changelog

## [1.1.0] - 2027-02-01

### Added

- The new thing.

## [1.0.10] - 2027-01-02

- Not this one.

## [1.0.1] - 2027-01-01

- The old thing.
`;

test.each([
	['v1.1.0', '\n### Added\n\n- The new thing.\n\n'],
	['v1.0.1', '\n- The old thing.\n'],
])('the GitHub release %s has the notes of its version alone', (tag, notes) => {
	// In the place of GitHub's command: prints what it is called with, and the file named last.
	const gh = '#!/bin/sh\necho "$1 $2 $3"\ncat "$8"\n';
	const { stdout } = run(lastStep, { gh, 'CHANGELOG.md': changelog }, { GITHUB_REF_NAME: tag });
	expect(stdout).toBe(`release create ${tag}\n${notes}`);
});
