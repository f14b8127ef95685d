import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { makeBed, owner } from './localN8n/bed';
import { installN8n } from './localN8n/install';
import { n8nVersion, release } from './localN8n/installation';
import { packageFolder, startN8n } from './localN8n/instance';
import { releaseOf } from './localN8n/releases';
import { packPackage } from './pack';
import { findPrograms } from './queue/debian';
import { executionsOf, startQueueMode } from './queue/queueMode';
import { takeLock } from './shared/lock';
import { chosenPort, freePort } from './shared/ports';
import { projectRoot } from './shared/root';
import { PlainError, runMain, untilInterrupted } from './shared/terminal';
import { runMainJob } from './start/mainJob';

/** Compiles changed sources into the folder of the installed package; gives what ends it. */
export function watchPackage(source: string, installed: string): () => void {
	const compiler = path.join(source, 'node_modules', 'typescript', 'bin', 'tsc');
	const args = ['--watch', '--preserveWatchOutput', '--outDir', path.join(installed, 'dist')];
	const child = spawn(process.execPath, [compiler, ...args], { cwd: source, stdio: 'inherit' });
	return () => child.kill();
}

/** `dev` is `npm start` with hot reload, `queue` is with queue mode; `--once` ends after the job. */
export function readArguments(args: string[]) {
	const kind = args.find((each) => each === 'dev' || each === 'queue') ?? 'alone';
	const command = { alone: 'npm start', dev: 'npm run dev', queue: 'npm run start:queue' }[kind];
	const unknown = args.find((each) => each !== kind && each !== '--once');
	if (unknown !== undefined) {
		throw new PlainError(`"${unknown}" is not an option. Use: ${command}, or ${command} -- --once`);
	}
	return { kind, command, once: args.includes('--once') };
}

/** The main job on a real n8n against the sandbox, both of which then stay open. */
async function start(): Promise<void> {
	const { kind, command, once } = readArguments(process.argv.slice(2));
	// Before anything that takes minutes.
	if (kind === 'queue') findPrograms();
	// People keep the addresses of the command; for `--once`, any port will do.
	const portOf = async (variable: string, usual: number) =>
		once ? freePort() : chosenPort(command, variable, usual);
	const port = await portOf('N8N_PORT', 5678);
	const sandboxPort = await portOf('SANDBOX_PORT', 4010);
	const data = process.env.PAYMENT_PAGES_DATA || path.join(projectRoot, '.local');
	// An older n8n can't read the data of a newer one, and `--once` runs beside an open `npm start`.
	const version = release === releaseOf() ? '' : `-${n8nVersion}`;
	const name = `n8n${version}${kind === 'queue' ? '-queue' : ''}${once ? '-once' : ''}`;
	const userFolder = path.resolve(data, name);
	const lock = `${userFolder}.lock`;
	// Two n8n on one database would damage it.
	if (!(await takeLock(lock))) {
		const other = `Another "${command}" already uses ${userFolder}.`;
		throw new PlainError(`${other} Use that one, or stop it with Ctrl-C.`);
	}
	const cleanUp: Array<() => unknown> = [() => rm(lock, { force: true })];
	try {
		await installN8n();
		console.log('Building the package, and starting n8n ...');
		const tarball = await packPackage();
		const environment = { N8N_DEV_RELOAD: String(kind === 'dev') };
		const n8n = await (kind === 'queue'
			? startQueueMode({ tarball, port })
			: startN8n({ userFolder, port, tarball, environment }));
		cleanUp.push(() => n8n.stop());
		const bed = await makeBed(n8n.url, { port: sandboxPort });
		cleanUp.push(() => bed.sandbox.stop());
		await runMainJob(bed);
		if ('workers' in n8n) {
			const ran = await Promise.all(n8n.workers.map(executionsOf));
			const counts = ran.map(({ length }) => length).join(' and ');
			console.log(`The workers ran ${counts} of these executions.\n`);
		}
		if (once) return;
		if (kind === 'dev') cleanUp.push(watchPackage(projectRoot, packageFolder(userFolder)));
		const interrupted = untilInterrupted();
		console.log(`n8n       ${n8n.url}   (log in with ${owner.email} and ${owner.password})
Sandbox   ${bed.sandbox.url}   (the pages, what was paid, what was delivered)
Next      docs/first-workflow.md   (a workflow of your own, step by step)

Press Ctrl-C to stop.`);
		await interrupted;
		console.log('\nStopping ...');
	} finally {
		while (cleanUp.length > 0) await cleanUp.pop()?.();
	}
}

if (require.main === module) runMain(start);
