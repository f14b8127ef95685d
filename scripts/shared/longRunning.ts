import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { PlainError } from './plainError';
import { waitFor } from './waitFor';

const millisecondsToStart = 180_000;
// n8n itself gives its executions 30 s to finish.
const millisecondsToStop = 45_000;

export interface ProgramOptions {
	/** What people call it. */
	name: string;
	program: string;
	args: string[];
	folder: string;
	environment: NodeJS.ProcessEnv;
	/** Receives all that it prints. */
	logFile: string;
	/** Whether it does its work yet. */
	isReady: () => Promise<boolean>;
	/** What makes it end in good order; SIGTERM when left out. */
	stopSignal?: NodeJS.Signals;
}

/** A program that runs until it is stopped. */
export interface LongRunning {
	/** All that it printed since it was first started. */
	readLog(): Promise<string>;
	/** Ends it and everything that it started; does nothing when it has ended already. */
	stop(): Promise<void>;
	/** Stops and starts it, with changed environment variables if any are given. */
	restart(environment?: Record<string, string>): Promise<void>;
	/** Ends it at once, as a crash would. */
	kill(): Promise<void>;
	/** Its process and what it started are in the process group with this number. */
	processGroup(): number;
}

/** One that could not be started has no number. */
function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch (error) {
		// ESRCH: nobody of the group is left, which is what was wanted.
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (!hasEnded(child)) {
		const exit = once(child, 'exit');
		const impatience = setTimeout(() => killGroup(child), millisecondsToStop);
		child.kill(signal);
		await exit;
		clearTimeout(impatience);
	}
	killGroup(child);
}

/**
 * Starts a program and waits until it is ready. If it ends instead, the error holds its last words.
 * It gets a channel to this process, which closes when this process ends, however that happens.
 */
export async function startProgram(options: ProgramOptions): Promise<LongRunning> {
	const { name, program, args, folder, logFile, isReady, stopSignal = 'SIGTERM' } = options;
	let { environment } = options;
	let child: ChildProcess;

	const readLog = () => readFile(logFile, 'utf8');
	const stop = () => end(child, stopSignal);

	async function start(logMode: 'a' | 'w'): Promise<void> {
		const log = openSync(logFile, logMode);
		child = spawn(program, args, {
			cwd: folder,
			env: environment,
			stdio: ['ignore', log, log, 'ipc'],
			// A group of its own: Ctrl-C goes to the starting process, which ends it in good order.
			detached: true,
		});
		closeSync(log);
		const failure = once(child, 'error').then(([error]) => Promise.reject(error as Error));
		const ready = waitFor(async () => hasEnded(child) || (await isReady()), {
			what: `${name} to be ready`,
			timeoutMilliseconds: millisecondsToStart,
		});
		try {
			await Promise.race([failure, ready]);
		} catch (error) {
			await stop();
			throw error;
		}
		if (!hasEnded(child)) return;
		await stop();
		const lastLines = (await readLog()).trim().split('\n').slice(-20).join('\n');
		throw new PlainError(`${name} ended while it was starting. Its last output:\n${lastLines}`);
	}

	await start('w');
	return {
		readLog,
		stop,
		kill: () => end(child, 'SIGKILL'),
		async restart(changed) {
			await stop();
			environment = { ...environment, ...changed };
			await start('a');
		},
		processGroup: () => child.pid ?? 0,
	};
}
