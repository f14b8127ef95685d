import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';
import { copyOf } from '../support/temporaryFolders';

const copied = [
	...['credentials', 'docs', 'icons', 'nodes', 'sandbox', 'scripts', 'test'],
	...['CONTRIBUTING.md', 'jest.config.ts', 'package.json', 'tsconfig.json', 'tsconfig.dev.json'],
];

test('the recipe for a field in CONTRIBUTING.md ends green', () => {
	const folder = copyOf(projectRoot, copied);
	symlinkSync(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
	const guide = readFileSync(path.join(projectRoot, 'CONTRIBUTING.md'), 'utf8');
	const [, steps = ''] = guide.split('### Add a field\n');
	const edits = [...steps.matchAll(/In `([^`]+)`, below `([^`]+)`, add `([^`]+)`/g)];
	expect(edits).toHaveLength(4);
	for (const [, name = '', line, added] of edits) {
		const file = path.join(folder, name);
		const text = readFileSync(file, 'utf8');
		expect(text.split(`${line}\n`)).toHaveLength(2);
		writeFileSync(file, text.replace(`${line}\n`, `${line}\n${added}\n`));
	}
	const run = (program: string, ...args: string[]) => {
		const command = path.join(folder, 'node_modules', '.bin', program);
		const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
		expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
	};
	const files = ['unit/texts', 'unit/values', 'engine/names', 'engine/create', 'sandbox/service'];
	const jest = ['--selectProjects', 'unit', 'engine', 'sandbox', '--maxWorkers=1', ...files];
	run('jest', ...jest, '--updateSnapshot');
	run('jest', ...jest, '--ci');
	run('tsc', '--noEmit');
}, 300_000);
