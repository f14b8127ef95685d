import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { projectRoot } from '../../scripts/shared/root';

test('on Windows, a command says in one sentence what it needs', () => {
	const pretend = `Object.defineProperty(process, 'platform', { value: 'win32' });`;
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[
			'--import',
			`data:text/javascript,${encodeURIComponent(pretend)}`,
			path.join(projectRoot, 'scripts', 'run.mjs'),
			'scripts/test',
		],
		{ encoding: 'utf8' },
	);
	expect({ status, stdout, stderr }).toEqual({
		status: 1,
		stdout: '',
		stderr: 'The commands of this repository need Linux or macOS; on Windows, run them in WSL.\n',
	});
});
