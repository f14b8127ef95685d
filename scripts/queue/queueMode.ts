import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type N8nInstance, type N8nOptions, startN8n } from '../localN8n/instance';
import { freePort } from '../shared/ports';
import type { LongRunning } from '../shared/subprocess';
import { findPrograms } from './debian';
import { queueEnvironment, type ServerAddress } from './environment';
import * as servers from './servers';

type Command = N8nOptions['command'];

/** The processes of n8n beside the main one, by the names that routing and Docker give them. */
export const helpers = {
	'worker-1': 'worker',
	'worker-2': 'worker',
	'webhook-1': 'webhook',
	'webhook-2': 'webhook',
} as const;

export interface QueueModeOptions {
	tarball: string; // see `packPackage`; each process gets it
	port?: number; // of the reverse proxy; a free one when left out
	environment?: Record<string, string>; // more settings of all processes of n8n, or other values
}

/** A running n8n in queue mode. */
export interface QueueMode {
	url: string; // of the reverse proxy: what people and services use
	main: N8nInstance;
	workers: N8nInstance[];
	processors: N8nInstance[]; // of webhooks
	postgres: servers.Postgres;
	redis: LongRunning;
	proxy: servers.Proxy;
	stop(): Promise<void>; // also deletes its data; does nothing the second time
}

/** The ids of the executions that a worker has begun, as its log tells. */
export async function executionsOf(worker: Pick<N8nInstance, 'readLog'>): Promise<string[]> {
	const log = await worker.readLog();
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);
}

async function newServerAddress(): Promise<ServerAddress> {
	const password = randomBytes(16).toString('hex');
	return { host: '127.0.0.1', port: await freePort(), password };
}

/** Starts all of it on 127.0.0.1 with new data; if that fails, nothing stays behind. */
export async function startQueueMode(options: QueueModeOptions): Promise<QueueMode> {
	const { tarball, port = await freePort() } = options;
	const programs = findPrograms();
	const url = `http://127.0.0.1:${port}`;
	const addresses = { postgres: await newServerAddress(), redis: await newServerAddress() };
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

		const encryptionKey = randomBytes(24).toString('hex');
		const environment = {
			...queueEnvironment({ ...addresses, publicUrl: url, encryptionKey }),
			...options.environment,
		};
		const started: Array<Promise<N8nInstance>> = [];
		/** Each in another folder, as if it were on another machine. */
		const add = (name: string, command: Command): Promise<N8nInstance> => {
			const userFolder = path.join(folder, name);
			const starting = startN8n({ userFolder, tarball, environment, command });
			started.push(starting);
			return starting;
		};
		// Also those that are still starting, when another one has failed.
		cleanUp.push(async () => {
			await Promise.allSettled(started.map(async (starting) => (await starting).stop()));
		});
		// The main process fills the database.
		const main = await add('main', 'start');
		const named = await Promise.all(
			Object.entries(helpers).map(async ([name, command]) => {
				return { name, command, instance: await add(name, command) };
			}),
		);
		const all = (wanted: Command) =>
			named.filter(({ command }) => command === wanted).map(({ instance }) => instance);
		const urls = named.map(({ name, instance }) => [name, instance.url] as const);
		const hosts = { main: main.url, ...Object.fromEntries(urls) };
		const proxy = await servers.startProxy(programs, folder, port, hosts);
		cleanUp.push(() => proxy.stop());
		const [workers, processors] = [all('worker'), all('webhook')];
		return { url, main, workers, processors, postgres, redis, proxy, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
