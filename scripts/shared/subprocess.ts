import { spawn } from 'node:child_process';
import { projectRoot } from './root';

export interface SubprocessOptions {
	folder?: string;
	environment?: NodeJS.ProcessEnv;
	/** Told what it prints, as it comes. */
	onOutput?: (text: string) => void;
}

export interface SubprocessResult {
	/** Exit code; 1 when a signal ended the process. */
	code: number;
	/** Standard output and standard error in the order in which they came, empty when shown live. */
	output: string;
}

/** Runs a program to its end and keeps what it printed. Rejects only when it can't be started. */
export function capture(
	program: string,
	args: string[],
	{ folder = projectRoot, environment = process.env, onOutput }: SubprocessOptions = {},
): Promise<SubprocessResult> {
	const child = spawn(program, args, {
		cwd: folder,
		env: environment,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	const keep = (text: string) => {
		output += text;
		onOutput?.(text);
	};
	child.stdout.setEncoding('utf8').on('data', keep);
	child.stderr.setEncoding('utf8').on('data', keep);
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve({ code: code ?? 1, output }));
	});
}

/** Runs a program to its end with its output on the terminal; gives its exit code. */
export function show(
	program: string,
	args: string[],
	{ folder = projectRoot, environment = process.env }: Omit<SubprocessOptions, 'onOutput'> = {},
): Promise<number> {
	const child = spawn(program, args, { cwd: folder, env: environment, stdio: 'inherit' });
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve(code ?? 1));
	});
}
