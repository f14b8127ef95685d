import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { projectRoot } from './root';
import { PlainError } from './terminal';
import { waitFor } from './waitFor';

export type SubprocessResult = Awaited<ReturnType<typeof capture>>;

export interface CaptureOptions {
	folder?: string; // that of the project when left out
	environment?: NodeJS.ProcessEnv;
	isShown?: boolean; // its output goes to the terminal, and is not kept
}

/** Runs a program to its end; gives what it printed. Rejects only when it can't be started. */
export async function capture(
	program: string,
	args: string[],
	{ folder = projectRoot, environment = process.env, isShown = false }: CaptureOptions = {},
) {
	const stdio: StdioOptions = isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'];
	const child: ChildProcess = spawn(program, args, { cwd: folder, env: environment, stdio });
	let output = '';
	const keep = (text: string) => (output += text);
	for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep);
	// Rejects with the error of a program that is not there.
	const [code] = (await once(child, 'close')) as [number | null];
	return { code: code ?? 1, output }; // 1 when a signal ended it
}

export interface ProgramOptions {
	name: string; // what people call it
	program: string;
	args: string[];
	folder: string;
	environment: NodeJS.ProcessEnv;
	logFile: string; // receives all that it prints
	isReady: () => Promise<boolean>; // whether it does its work yet
	stopSignal?: NodeJS.Signals; // what makes it end in good order; SIGTERM when left out
}

/** A program that runs until it is stopped. */
export type LongRunning = Awaited<ReturnType<typeof startProgram>>;

/** One that could not be started has no number. */
function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Whether there is such a process, or sends it a signal; EPERM: it belongs to another user. */
export function isAlive(processId: number, signal: NodeJS.Signals | 0 = 0): boolean {
	try {
		return process.kill(processId, signal);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	const killGroup = () => child.pid !== undefined && isAlive(-child.pid, 'SIGKILL');
	if (!hasEnded(child)) {
		const exit = once(child, 'exit');
		// n8n itself gives its executions 30 s to finish.
		const impatience = setTimeout(killGroup, 45_000);
		child.kill(signal);
		await exit;
		clearTimeout(impatience);
	}
	killGroup();
}

/** Starts a program and waits until it is ready; if it ends instead, the error has its last words. */
export async function startProgram(options: ProgramOptions) {
	const { name, program, args, folder, logFile, isReady, stopSignal = 'SIGTERM' } = options;
	let { environment } = options;
	let child: ChildProcess;
	const readLog = () => readFile(logFile, 'utf8');
	const stop = () => end(child, stopSignal);

	async function start(logMode: 'a' | 'w'): Promise<void> {
		const log = openSync(logFile, logMode);
		// In another group: Ctrl-C goes to the starting process, which ends it in good order.
		const options = { cwd: folder, env: environment, detached: true };
		// Its channel to this process closes when this process ends, however that happens.
		child = spawn(program, args, { ...options, stdio: ['ignore', log, log, 'ipc'] });
		// It could not be started at all.
		child.on('error', ({ message }) => appendFileSync(logFile, message));
		closeSync(log);
		try {
			await waitFor(async () => hasEnded(child) || (await isReady()), {
				what: `${name} to be ready`,
				timeoutMilliseconds: 180_000,
			});
			if (!hasEnded(child)) return;
			const lastLines = (await readLog()).trim().split('\n').slice(-20).join('\n');
			throw new PlainError(`${name} ended while it was starting. Its last output:\n${lastLines}`);
		} catch (error) {
			await stop();
			throw error;
		}
	}

	await start('w');
	return {
		readLog, // all that it printed since it was first started
		stop, // ends it and what it started; does nothing when it has ended already
		kill: () => end(child, 'SIGKILL'), // as a crash would
		async restart(changed: Record<string, string> = {}) {
			await stop();
			environment = { ...environment, ...changed };
			await start('a');
		},
		processGroup: () => child.pid ?? 0, // of its process and what it started
	};
}
