import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import packageJson from '../../package.json';
import { makeFolder } from './temporaryFolders';

const [own, placeholder] = ['https://github.com/me/it', 'https://payment-pages.example/n8n'];

test.each([
	['passes', own, '## [1.2.0] - 2026-11-28\n', 0, /^$/],
	['shows a placeholder', placeholder, '## [1.2.0] - 2026-11-28\n', 1, /^nodes\/a\.ts:1:/m],
	['stops', own, '## [1.2.0] - Unreleased\n', 1, /no date in CHANGELOG\.md/],
	['stops', own, '## [1.1.0] - 2026-11-28\n', 1, /no date in CHANGELOG\.md/],
])('npm run publish:check %s for %s and %j', (_what, homepage, changelog, status, output) => {
	const cwd = makeFolder();
	for (const name of ['nodes', 'credentials']) mkdirSync(path.join(cwd, name));
	writeFileSync(path.join(cwd, 'package.json'), JSON.stringify({ homepage }));
	writeFileSync(path.join(cwd, 'nodes', 'a.ts'), `const url = '${homepage}';\n`);
	writeFileSync(path.join(cwd, 'CHANGELOG.md'), changelog);
	const env = { PATH: process.env.PATH, npm_package_version: '1.2.0' };
	const command = ['-c', packageJson.scripts['publish:check']];
	const run = spawnSync('sh', command, { cwd, env, encoding: 'utf8' });
	expect(run).toMatchObject({ status, stdout: expect.stringMatching(output) });
});
