import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../../scripts/shared/root';

test('on Windows, a command says in one sentence what it needs', () => {
	const pretend = `Object.defineProperty(process, 'platform', { value: 'win32' });`;
	const before = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
	const args = [...before, path.join(projectRoot, 'scripts', 'run.mjs'), 'scripts/test'];
	expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({
		status: 1,
		stdout: '',
		stderr: 'The commands of this repository need Linux or macOS; on Windows, run them in WSL.\n',
	});
});
