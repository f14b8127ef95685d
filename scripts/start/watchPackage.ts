import { spawn } from 'node:child_process';
import path from 'node:path';

/** Compiles changed sources into the folder of the installed package; gives what ends it. */
export function watchPackage(source: string, installed: string): () => void {
	const compiler = path.join(source, 'node_modules', 'typescript', 'bin', 'tsc');
	const args = ['--watch', '--preserveWatchOutput', '--outDir', path.join(installed, 'dist')];
	const child = spawn(process.execPath, [compiler, ...args], { cwd: source, stdio: 'inherit' });
	return () => child.kill();
}
