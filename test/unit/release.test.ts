import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../scripts/shared/root';

/** The workflow that publishes: its last step tells GitHub what is new. */
const file = path.join(projectRoot, '.github', 'workflows', 'publish.yml');
const { jobs } = parse(readFileSync(file, 'utf8')) as {
	jobs: { publish: { steps: Array<{ run?: string }> } };
};

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
	const cwd = mkdtempSync(path.join(tmpdir(), 'release-'));
	writeFileSync(path.join(cwd, 'CHANGELOG.md'), changelog);
	// In the place of GitHub's command: keeps what it was called with.
	writeFileSync(path.join(cwd, 'gh'), '#!/bin/sh\necho "$@" > called\n', { mode: 0o755 });
	const search = `${cwd}:${process.env.PATH ?? ''}`;
	const env = { PATH: search, GITHUB_REF_NAME: tag, RUNNER_TEMP: cwd };
	execFileSync('bash', ['-e', '-c', jobs.publish.steps.at(-1)?.run ?? ''], { cwd, env });
	expect(readFileSync(path.join(cwd, 'notes.md'), 'utf8')).toBe(notes);
	expect(readFileSync(path.join(cwd, 'called'), 'utf8')).toContain(`release create ${tag} `);
	rmSync(cwd, { recursive: true });
});
