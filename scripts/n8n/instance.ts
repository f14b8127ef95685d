import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import path from 'node:path';
import axios from 'axios';
import { freePort } from '../shared/ports';
import { PlainError } from '../shared/plainError';
import { waitFor } from '../shared/waitFor';
import { putPackage } from './communityPackage';
import { n8nEnvironment } from './environment';
import { n8nExecutable } from './installation';

const millisecondsToStart = 180_000;
const millisecondsToStop = 15_000;

export interface N8nOptions {
	/** n8n keeps its database, settings and community packages below this folder. */
	userFolder: string;
	/** The package's tarball, see `packPackage`; without it the package that is there is kept. */
	tarball?: string;
	/** The port of editor and webhooks; a free one when left out. */
	port?: number;
	/** More settings of n8n, or other values than those of `n8nEnvironment`. */
	environment?: Record<string, string>;
}

/** A running n8n. */
export interface N8nInstance {
	url: string;
	userFolder: string;
	/** All that n8n printed since `startN8n`. */
	readLog(): Promise<string>;
	/** Ends n8n and everything that it started; does nothing when n8n has ended already. */
	stop(): Promise<void>;
	/** Stops and starts n8n on the same folder and port, with changed settings if any are given. */
	restart(environment?: Record<string, string>): Promise<void>;
	/** Ends n8n at once, as a crash would. */
	kill(): Promise<void>;
}

function hasEnded(child: ChildProcess): boolean {
	return child.exitCode !== null || child.signalCode !== null;
}

/** n8n's task runners are in the process group that n8n leads. */
function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch (error) {
		// ESRCH: nobody of the group is left, which is what was wanted.
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
	if (!hasEnded(child)) {
		const exit = once(child, 'exit');
		const impatience = setTimeout(() => killGroup(child), millisecondsToStop);
		child.kill(signal);
		await exit;
		clearTimeout(impatience);
	}
	killGroup(child);
}

/** `/healthz` answers before the REST API does, so the API itself is asked. */
async function isReady(url: string): Promise<boolean> {
	const answer = await axios
		.get<{ data?: unknown } | string>(`${url}/rest/settings`, {
			timeout: 5000,
			httpAgent: new Agent({ keepAlive: false }),
		})
		.catch(() => undefined);
	return typeof answer?.data === 'object' && answer.data.data !== undefined;
}

/**
 * Starts n8n on the Node that runs this, bound to the loopback address, and waits until its API
 * answers (10 s; more when the database is new). If n8n ends instead, the error holds its last words.
 */
export async function startN8n(options: N8nOptions): Promise<N8nInstance> {
	const { userFolder, tarball, port = await freePort() } = options;
	const url = `http://127.0.0.1:${port}`;
	const logFile = path.join(userFolder, 'n8n.log');
	let environment = options.environment ?? {};
	let child: ChildProcess;

	const readLog = () => readFile(logFile, 'utf8');
	const stop = () => end(child, 'SIGTERM');

	async function start(logMode: 'a' | 'w'): Promise<void> {
		const log = openSync(logFile, logMode);
		const brokerPort = await freePort();
		child = spawn(
			process.execPath,
			['--require', path.join(__dirname, 'endWithParent.cjs'), n8nExecutable(), 'start'],
			{
				cwd: userFolder,
				env: { ...n8nEnvironment({ userFolder, port, brokerPort }), ...environment },
				stdio: ['ignore', log, log, 'ipc'],
				// A group of its own: Ctrl-C goes to the starting process, which ends n8n in good order.
				detached: true,
			},
		);
		closeSync(log);
		const failure = once(child, 'error').then(([error]) => Promise.reject(error as Error));
		const ready = waitFor(async () => hasEnded(child) || (await isReady(url)), {
			what: `n8n to answer at ${url}`,
			timeoutMilliseconds: millisecondsToStart,
		});
		try {
			await Promise.race([failure, ready]);
		} catch (error) {
			await stop();
			throw error;
		}
		if (!hasEnded(child)) return;
		const lastLines = (await readLog()).trim().split('\n').slice(-20).join('\n');
		throw new PlainError(`n8n ended while it was starting. Its last words:\n${lastLines}`);
	}

	await mkdir(userFolder, { recursive: true });
	if (tarball !== undefined) await putPackage(userFolder, tarball);
	await start('w');
	return {
		url,
		userFolder,
		readLog,
		stop,
		kill: () => end(child, 'SIGKILL'),
		async restart(changed) {
			await stop();
			environment = { ...environment, ...changed };
			await start('a');
		},
	};
}
