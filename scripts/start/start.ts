import { startSandbox } from '../../sandbox';
import { N8nClient } from '../localN8n/client';
import { packageFolder } from '../localN8n/communityPackage';
import { startN8n } from '../localN8n/instance';
import { packPackage } from '../pack';
import { withProgress } from '../shared/progress';
import { projectRoot } from '../shared/root';
import { installForStart } from './firstMinutes';
import { lockFolder, unlockFolder } from './folderLock';
import { runMainJob } from './mainJob';
import {
	choosePorts,
	type Ports,
	readArguments,
	type StartArguments,
	type StartCommand,
	userFolderFor,
} from './settings';
import { signIn } from './signIn';
import { stayOpen } from './stayOpen';
import { watchPackage } from './watchPackage';

async function runWith(chosen: StartArguments, userFolder: string, ports: Ports): Promise<void> {
	const develops = chosen.command === 'npm run dev';
	await installForStart(chosen, ports);
	const tarball = await withProgress('Building the package', () => packPackage());
	const sandbox = await startSandbox({ port: ports.sandbox });
	try {
		const environment = develops ? { N8N_DEV_RELOAD: 'true' } : undefined;
		const n8n = await withProgress('Starting n8n', () =>
			startN8n({ userFolder, port: ports.n8n, tarball, environment }),
		);
		try {
			const client = new N8nClient(n8n.url);
			await signIn(client, userFolder);
			await runMainJob(client, sandbox);
			if (chosen.once) return;
			const endWatch = develops
				? watchPackage({ source: projectRoot, installed: packageFolder(userFolder) })
				: undefined;
			await stayOpen(n8n, sandbox);
			endWatch?.();
		} finally {
			await n8n.stop();
		}
	} finally {
		await sandbox.stop();
	}
}

/**
 * The main job on a real n8n against the sandbox, both of which then stay open. With `npm run dev`, n8n
 * loads the package again whenever a source changes.
 */
export async function start(command: StartCommand): Promise<void> {
	const chosen = readArguments(command, process.argv.slice(2));
	const ports = await choosePorts(chosen);
	const userFolder = userFolderFor(chosen);
	await lockFolder(userFolder);
	try {
		await runWith(chosen, userFolder, ports);
	} finally {
		await unlockFolder(userFolder);
	}
}
