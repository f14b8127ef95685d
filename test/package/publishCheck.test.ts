import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import packageJson from '../../package.json';
import { makeFolder, removeFolders } from './temporaryFolders';

afterAll(removeFolders);

/** Runs the command behind `npm run publish:check` on a package with this homepage and changelog. */
function check(homepage: string, changelog: string) {
	const folder = makeFolder();
	for (const name of ['nodes', 'credentials']) mkdirSync(path.join(folder, name));
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ homepage }));
	writeFileSync(path.join(folder, 'nodes', 'a.ts'), `const url = '${homepage}';\n`);
	writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
	const environment = { PATH: process.env.PATH, npm_package_version: '1.2.0' };
	return spawnSync('sh', ['-c', packageJson.scripts['publish:check']], {
		cwd: folder,
		env: environment,
		encoding: 'utf8',
	});
}

const elsewhere = 'https://github.com/somebody/something';
const dated = '## [1.2.0] - 2026-11-28\n';

test('a package with its own addresses and a date can be published', () => {
	expect(check(elsewhere, dated)).toMatchObject({ status: 0, stdout: '' });
});

test('a placeholder is shown with its place', () => {
	const { status, stdout } = check('https://payment-pages.example/n8n', dated);
	expect(status).toBe(1);
	expect(stdout).toMatch(/^nodes\/a\.ts:1:/m);
});

test.each(['## [1.2.0] - Unreleased\n', '## [1.1.0] - 2026-11-28\n'])(
	'a version without a date cannot be published: %j',
	(changelog) => {
		expect(check(elsewhere, changelog)).toMatchObject({
			status: 1,
			stdout: expect.stringContaining('no date in CHANGELOG.md'),
		});
	},
);
