import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type N8nInstance, type N8nOptions, startN8n } from '../localN8n/instance';
import { freePort } from '../shared/ports';
import { findPrograms } from './debian';
import { queueEnvironment } from './environment';
import * as servers from './servers';

type Command = N8nOptions['command'];

/** The processes of n8n beside the main one, by the names that routing and Docker give them. */
export const helpers = {
	'worker-1': 'worker',
	'worker-2': 'worker',
	'webhook-1': 'webhook',
	'webhook-2': 'webhook',
} as const;

/** A running n8n in queue mode: the URL is the reverse proxy's, the processors are of webhooks. */
export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

/** The ids of the executions that a worker has begun, as its log tells. */
export async function executionsOf(worker: Pick<N8nInstance, 'readLog'>): Promise<string[]> {
	const log = await worker.readLog();
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);
}

/** Starts all of it on 127.0.0.1 with new data, which goes with it, also when that fails. */
export async function startQueueMode(options: Omit<N8nOptions, 'userFolder' | 'command'>) {
	const { tarball, port = await freePort() } = options;
	const programs = findPrograms();
	const url = `http://127.0.0.1:${port}`;
	const secret = () => randomBytes(16).toString('hex');
	const newAddress = async () => ({
		host: '127.0.0.1',
		port: await freePort(),
		password: secret(),
	});
	const addresses = { postgres: await newAddress(), redis: await newAddress() };
	const cleanUp: Array<() => Promise<unknown>> = [];
	const stop = async (): Promise<void> => {
		while (cleanUp.length > 0) await cleanUp.pop()?.();
	};
	try {
		const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-queue-'));
		cleanUp.push(() => rm(folder, { recursive: true }));
		await servers.giveToServers(folder);
		const postgres = await servers.startPostgres(programs, folder, addresses.postgres);
		cleanUp.push(() => postgres.stop());
		const redis = await servers.startRedis(programs, folder, addresses.redis);
		cleanUp.push(() => redis.stop());

		const settings = queueEnvironment({ ...addresses, publicUrl: url, encryptionKey: secret() });
		const environment = { ...settings, ...options.environment };
		const started: N8nInstance[] = [];
		cleanUp.push(() => Promise.all(started.map((each) => each.stop())));
		/** Each in another folder, as if it were on another machine. */
		const add = async (name: string, command: Command) => {
			const userFolder = path.join(folder, name);
			const n8n = await startN8n({ userFolder, tarball, environment, command });
			started.push(n8n);
			return { name, command, n8n };
		};
		// The main process fills the database.
		const { n8n: main } = await add('main', 'start');
		const adding = Object.entries(helpers).map(([name, command]) => add(name, command));
		// When one fails, those that are still starting are stopped, too.
		await Promise.allSettled(adding);
		const others = await Promise.all(adding);
		const all = (wanted: Command) =>
			others.filter(({ command }) => command === wanted).map(({ n8n }) => n8n);
		const urls = Object.fromEntries(others.map(({ name, n8n }) => [name, n8n.url]));
		const proxy = await servers.startProxy(programs, folder, port, { main: main.url, ...urls });
		cleanUp.push(() => proxy.stop());
		const [workers, processors] = [all('worker'), all('webhook')];
		return { url, main, workers, processors, postgres, redis, proxy, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
