import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Sandbox, startSandbox } from '../sandbox';
import { N8nClient } from './localN8n/client';
import { installN8n } from './localN8n/install';
import { n8nVersion, release } from './localN8n/installation';
import { type N8nInstance, packageFolder, startN8n } from './localN8n/instance';
import { releaseOf } from './localN8n/releases';
import { packPackage } from './pack';
import { findPrograms } from './queue/debian';
import { executionsOf, type QueueMode, startQueueMode } from './queue/queueMode';
import { takeLock } from './shared/lock';
import { chosenPort, freePort } from './shared/ports';
import { projectRoot } from './shared/root';
import { PlainError, runMain, untilInterrupted } from './shared/terminal';
import { runMainJob } from './start/mainJob';
import { watchPackage } from './start/watchPackage';

/** Who logs in to this n8n, which only this machine can reach. */
const login = { email: 'owner@payment-pages.example', password: 'Sandbox-only-1' };
const owner = { ...login, firstName: 'Sandbox', lastName: 'Owner' };

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

/** Tells where n8n and the sandbox are, and waits until somebody wants them to stop. */
async function stayOpen(n8n: N8nInstance | QueueMode, sandbox: Sandbox): Promise<void> {
	const interrupted = untilInterrupted();
	console.log(`n8n       ${n8n.url}   (log in with ${login.email} and ${login.password})
Sandbox   ${sandbox.url}   (the pages, what was paid, what was delivered)
Next      docs/first-workflow.md   (a workflow of your own, step by step)

Press Ctrl-C to stop.`);
	await interrupted;
	console.log('\nStopping ...');
}

/** Where n8n keeps its data; an older n8n cannot read that of a newer one. */
function userFolderOf({ kind, once }: ReturnType<typeof readArguments>): string {
	const version = release === releaseOf() ? '' : `-${n8nVersion}`;
	const data = process.env.PAYMENT_PAGES_DATA || path.join(projectRoot, '.local');
	const mode = kind === 'queue' ? '-queue' : '';
	// `--once` runs beside an open `npm start`.
	return path.resolve(data, `n8n${version}${mode}${once ? '-once' : ''}`);
}

/** The main job on a real n8n against the sandbox, both of which then stay open. */
async function start(): Promise<void> {
	const chosen = readArguments(process.argv.slice(2));
	const { kind, command, once } = chosen;
	// Before anything that takes minutes.
	if (kind === 'queue') findPrograms();
	// People keep the addresses of the command; for `--once`, any port will do.
	const ports = {
		n8n: once ? await freePort() : await chosenPort(command, 'N8N_PORT', 5678),
		sandbox: once ? await freePort() : await chosenPort(command, 'SANDBOX_PORT', 4010),
	};
	const userFolder = userFolderOf(chosen);
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
		const sandbox = await startSandbox({ port: ports.sandbox });
		cleanUp.push(() => sandbox.stop());
		const environment = { N8N_DEV_RELOAD: String(kind === 'dev') };
		const n8n =
			kind === 'queue'
				? await startQueueMode({ tarball, port: ports.n8n })
				: await startN8n({ userFolder, port: ports.n8n, tarball, environment });
		cleanUp.push(() => n8n.stop());
		const client = new N8nClient(n8n.url);
		await client.signIn(owner);
		await runMainJob(client, sandbox);
		if ('workers' in n8n) {
			const ran = await Promise.all(n8n.workers.map(executionsOf));
			console.log(
				`The workers ran ${ran.map(({ length }) => length).join(' and ')} of these executions.\n`,
			);
		}
		if (once) return;
		if (kind === 'dev') cleanUp.push(watchPackage(projectRoot, packageFolder(userFolder)));
		await stayOpen(n8n, sandbox);
	} finally {
		while (cleanUp.length > 0) await cleanUp.pop()?.();
	}
}

if (require.main === module) runMain(start);
