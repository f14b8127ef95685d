import { type Sandbox, startSandbox } from '../sandbox';
import { N8nClient } from './n8n/client';
import { installN8n } from './n8n/install';
import { type N8nInstance, startN8n } from './n8n/instance';
import { packPackage } from './pack';
import { runMain } from './shared/main';
import { withProgress } from './shared/progress';
import { untilInterrupted } from './shared/untilInterrupted';
import { lockFolder, unlockFolder } from './start/folderLock';
import { runMainJob } from './start/mainJob';
import { signIn } from './start/signIn';
import {
	choosePorts,
	owner,
	type Ports,
	readArguments,
	type StartArguments,
} from './start/settings';

async function stayOpen(n8n: N8nInstance, sandbox: Sandbox): Promise<void> {
	console.log(`n8n       ${n8n.url}   (log in with ${owner.email} and ${owner.password})
Sandbox   ${sandbox.url}   (the pages, what was paid, what was delivered)

Press Ctrl-C to stop both.`);
	await untilInterrupted();
	console.log('\nStopping n8n and the sandbox ...');
}

async function runWith({ once, userFolder }: StartArguments, ports: Ports): Promise<void> {
	await installN8n();
	const tarball = await withProgress('Building the package', () => packPackage());
	const sandbox = await startSandbox({ port: ports.sandbox });
	try {
		const n8n = await withProgress('Starting n8n', () =>
			startN8n({ userFolder, port: ports.n8n, tarball }),
		);
		try {
			const client = new N8nClient(n8n.url);
			await signIn(client, userFolder);
			await runMainJob(client, sandbox);
			if (!once) await stayOpen(n8n, sandbox);
		} finally {
			await n8n.stop();
		}
	} finally {
		await sandbox.stop();
	}
}

/** `npm start`: the main job on a real n8n against the sandbox, both of which then stay open. */
async function start(): Promise<void> {
	const chosen = readArguments(process.argv.slice(2));
	const ports = await choosePorts(chosen);
	await lockFolder(chosen.userFolder);
	try {
		await runWith(chosen, ports);
	} finally {
		await unlockFolder(chosen.userFolder);
	}
}

runMain(start);
