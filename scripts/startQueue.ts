import { startSandbox } from '../sandbox';
import { N8nClient } from './localN8n/client';
import { packPackage } from './pack';
import { findPrograms } from './queue/debian';
import { type QueueMode, startQueueMode } from './queue/queueMode';
import { executionsOf } from './queue/workerLog';
import { runMain } from './shared/main';
import { withProgress } from './shared/progress';
import { installForStart } from './start/firstMinutes';
import { runMainJob } from './start/mainJob';
import { choosePorts, owner, readArguments } from './start/settings';
import { stayOpen } from './start/stayOpen';

/** Where everything is, for people who want to look at or disturb a single part. */
function partsOf({ main, workers, processors }: QueueMode): string {
	const named = [
		['Main process', [main]],
		['Workers', workers],
		['Webhook processors', processors],
	] as const;
	return named
		.map(([name, instances]) => {
			const places = instances.map((each) => `${each.url} (process ${each.processGroup()})`);
			return `  ${name.padEnd(20)}${places.join(', ')}\n`;
		})
		.join('');
}

async function shareOfWorkers({ workers }: QueueMode): Promise<string> {
	const counts = await Promise.all(workers.map(async (each) => (await executionsOf(each)).length));
	return `The workers ran ${counts.join(' and ')} of these executions.\n`;
}

/**
 * `npm run start:queue`: the same as `npm start` on n8n's queue mode, with an empty database each
 * time: PostgreSQL, Redis, n8n's main process, two workers, two webhook processors and a proxy.
 */
async function startQueue(): Promise<void> {
	const chosen = readArguments('npm run start:queue', process.argv.slice(2));
	// Before anything that takes minutes.
	await findPrograms();
	const ports = await choosePorts(chosen);
	await installForStart(chosen, ports);
	const tarball = await withProgress('Building the package', () => packPackage());
	const sandbox = await startSandbox({ port: ports.sandbox });
	try {
		const queue = await withProgress('Starting n8n in queue mode', (setStep) =>
			startQueueMode({ tarball, port: ports.n8n, setStep }),
		);
		try {
			const client = new N8nClient(queue.url);
			await client.signIn(owner);
			await runMainJob(client, sandbox);
			console.log(await shareOfWorkers(queue));
			if (!chosen.once) await stayOpen(queue, sandbox, partsOf(queue));
		} finally {
			await queue.stop();
		}
	} finally {
		await sandbox.stop();
	}
}

runMain(startQueue);
