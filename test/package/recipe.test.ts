import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';
import { copyOf, removeFolders } from './temporaryFolders';

afterAll(removeFolders);

const copied = [
	...['credentials', 'docs', 'icons', 'nodes', 'sandbox', 'scripts', 'test'],
	...['CONTRIBUTING.md', 'jest.config.ts', 'package.json', 'tsconfig.json', 'tsconfig.dev.json'],
];

/** The edits that a section of CONTRIBUTING.md asks for: "below `a line`, add `another`". */
function editsOf(section: string): Array<[file: string, line: string, added: string]> {
	const text = readFileSync(path.join(projectRoot, 'CONTRIBUTING.md'), 'utf8');
	const [, steps = ''] = text.split(`### ${section}\n`);
	return (steps.split(/^#/m, 1)[0] ?? '').split('\n').flatMap((step) => {
		const [, file = ''] = /In `([^`]+)`/.exec(step) ?? [];
		return [...step.matchAll(/below `([^`]+)`, add `([^`]+)`/g)].map(
			([, line = '', added = '']): [string, string, string] => [file, line, added],
		);
	});
}

test('the recipe for a field ends green', () => {
	const folder = copyOf(projectRoot, copied);
	symlinkSync(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
	const edits = editsOf('Add a field');
	expect(edits.length).toBeGreaterThan(3);
	for (const [name, line, added] of edits) {
		const file = path.join(folder, name);
		const text = readFileSync(file, 'utf8');
		expect(text.split(`${line}\n`)).toHaveLength(2);
		writeFileSync(file, text.replace(`${line}\n`, `${line}\n${added}\n`));
	}
	const run = (program: string, ...args: string[]) => {
		const command = path.join(folder, 'node_modules', '.bin', program);
		const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
		expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({
			status: 0,
			output: '',
		});
	};
	const files = ['unit/texts', 'unit/values', 'engine/names', 'engine/create', 'sandbox/service'];
	const jest = ['--selectProjects', 'unit', 'engine', 'sandbox', '--maxWorkers=1', ...files];
	run('jest', ...jest, '--updateSnapshot');
	run('jest', ...jest, '--ci');
	run('tsc', '--noEmit');
}, 300_000);
