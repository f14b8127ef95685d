/**
 * Entry of every npm script: runs `scripts/test.ts` for `scripts/test`, or a program of the dependencies.
 * On a fresh clone with any Node from 20 on, it installs them when they are missing or older than the
 * lock file, and hands over to the Node 24 that comes with them, which n8n 2.41 needs.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bin = path.join(root, 'node_modules', '.bin');
const stamp = path.join(root, 'node_modules', '.installed-from');

function npm(...args) {
	if (spawnSync('npm', args, { cwd: root, stdio: 'inherit' }).status === 0) return;
	console.error(`
"npm ${args.join(' ')}" did not succeed; npm's own message is above. Check that the npm registry can be
reached and that the disk has 1 GB free, then run the command again.`);
	process.exit(1);
}

function installDependencies() {
	const lock = readFileSync(path.join(root, 'package-lock.json'));
	const lockHash = createHash('sha256').update(lock).digest('hex');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) return;
	console.log('Installing the dependencies (first time: about 2 minutes) ...');
	npm('ci', '--no-audit', '--no-fund', '--loglevel=error');
	// The package "node" fetches its binary in an install script, which .npmrc switches off for all.
	npm('rebuild', 'node', '--ignore-scripts=false', '--loglevel=error');
	writeFileSync(stamp, lockHash);
}

if (process.platform === 'win32') {
	console.error(
		'The commands of this repository need Linux or macOS; on Windows, run them in WSL.',
	);
	process.exit(1);
}

const [program, ...args] = process.argv.slice(2);
installDependencies();

const script = path.join(root, `${program}.ts`);
const [file, first] = existsSync(script) ? ['node', ['--import', 'tsx', script]] : [program, []];
const child = spawn(path.join(bin, file), [...first, ...args], {
	cwd: root,
	stdio: 'inherit',
	env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
});
// The child decides how it ends; until then this process only passes signals on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
	console.error(error.message);
	process.exitCode = 1;
});
child.on('exit', (code, signal) => {
	process.exitCode = code ?? 128 + constants.signals[signal];
});
