import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../scripts/shared/root';

/** The workflow that publishes: its last step tells GitHub what is new. */
const workflow = parse(
	readFileSync(path.join(projectRoot, '.github', 'workflows', 'publish.yml'), 'utf8'),
) as { jobs: { publish: { steps: Array<{ run?: string }> } } };

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
	const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
	try {
		writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
		// In the place of GitHub's command: keeps what it was called with.
		writeFileSync(path.join(folder, 'gh'), '#!/bin/sh\necho "$@" > called\n');
		chmodSync(path.join(folder, 'gh'), 0o755);
		execFileSync('bash', ['-e', '-c', workflow.jobs.publish.steps.at(-1)?.run ?? ''], {
			cwd: folder,
			env: {
				PATH: `${folder}:${process.env.PATH ?? ''}`,
				GITHUB_REF_NAME: tag,
				RUNNER_TEMP: folder,
			},
		});
		expect(readFileSync(path.join(folder, 'notes.md'), 'utf8')).toBe(notes);
		expect(readFileSync(path.join(folder, 'called'), 'utf8')).toContain(`release create ${tag} `);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
