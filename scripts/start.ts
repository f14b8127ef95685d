import { startSandbox } from '../sandbox';
import { N8nClient } from './localN8n/client';
import { startN8n } from './localN8n/instance';
import { packPackage } from './pack';
import { runMain } from './shared/main';
import { withProgress } from './shared/progress';
import { installForStart } from './start/firstMinutes';
import { lockFolder, unlockFolder } from './start/folderLock';
import { runMainJob } from './start/mainJob';
import {
	choosePorts,
	type Ports,
	readArguments,
	type StartArguments,
	userFolderFor,
} from './start/settings';
import { signIn } from './start/signIn';
import { stayOpen } from './start/stayOpen';

async function runWith(chosen: StartArguments, userFolder: string, ports: Ports): Promise<void> {
	await installForStart(chosen, ports);
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
			if (!chosen.once) await stayOpen(n8n, sandbox);
		} finally {
			await n8n.stop();
		}
	} finally {
		await sandbox.stop();
	}
}

/** `npm start`: the main job on a real n8n against the sandbox, both of which then stay open. */
async function start(): Promise<void> {
	const chosen = readArguments('npm start', process.argv.slice(2));
	const ports = await choosePorts(chosen);
	const userFolder = userFolderFor(chosen);
	await lockFolder(userFolder);
	try {
		await runWith(chosen, userFolder, ports);
	} finally {
		await unlockFolder(userFolder);
	}
}

runMain(start);
