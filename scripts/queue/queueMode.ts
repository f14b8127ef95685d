import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type N8nInstance, type N8nOptions, startN8n } from '../localN8n/instance';
import type { LongRunning } from '../shared/longRunning';
import { freePort } from '../shared/ports';
import { findPrograms } from './debian';
import { queueEnvironment, type ServerAddress } from './environment';
import { type Postgres, startPostgres } from './postgres';
import { type Proxy, startProxy } from './proxy';
import { startRedis } from './redis';
import { makeTemporaryFolder } from './temporaryFolder';
import { giveToServers } from './unprivileged';

type Command = N8nOptions['command'];

/** The processes of n8n beside the main one, by the names that routing and Docker give them. */
export const helpers = {
	'worker-1': 'worker',
	'worker-2': 'worker',
	'webhook-1': 'webhook',
	'webhook-2': 'webhook',
} as const;

export interface QueueModeOptions {
	/** The package's tarball, see `packPackage`; each process gets it. */
	tarball: string;
	/** The port of the reverse proxy; a free one when left out. */
	port?: number;
	/** More settings of all processes of n8n, or other values. */
	environment?: Record<string, string>;
	/** Told what is being started. */
	setStep?: (step: string) => void;
}

/** A running n8n in queue mode. */
export interface QueueMode {
	/** The address of the reverse proxy: what people and services use. */
	url: string;
	main: N8nInstance;
	workers: N8nInstance[];
	/** The webhook processors. */
	processors: N8nInstance[];
	postgres: Postgres;
	redis: LongRunning;
	proxy: Proxy;
	/** Ends all of it and deletes its data; does nothing the second time. */
	stop(): Promise<void>;
}

async function newServerAddress(): Promise<ServerAddress> {
	const password = randomBytes(16).toString('hex');
	return { host: '127.0.0.1', port: await freePort(), password };
}

/** The processes of n8n, each in a folder of its own, as if each were on a machine of its own. */
class Processes {
	private readonly started: Array<Promise<N8nInstance>> = [];

	constructor(
		private readonly folder: string,
		private readonly tarball: string,
		private readonly environment: Record<string, string>,
	) {}

	readonly add = (name: string, command: Command): Promise<N8nInstance> => {
		const { tarball, environment } = this;
		const userFolder = path.join(this.folder, name);
		const starting = startN8n({ userFolder, tarball, environment, command });
		this.started.push(starting);
		return starting;
	};

	/** Also of those that are still starting, when another one of them has failed. */
	readonly stop = async (): Promise<void> => {
		const ended = this.started.splice(0).map(async (starting) => {
			const instance = await starting.catch(() => undefined);
			await instance?.stop();
		});
		await Promise.all(ended);
	};
}

/**
 * Starts PostgreSQL, Redis, five processes of n8n and a reverse proxy on 127.0.0.1, all with new and
 * empty data in a temporary folder. If that fails, nothing stays behind.
 */
export async function startQueueMode(options: QueueModeOptions): Promise<QueueMode> {
	const { tarball, port = await freePort(), setStep = () => undefined } = options;
	const programs = await findPrograms();
	const url = `http://127.0.0.1:${port}`;
	const servers = { postgres: await newServerAddress(), redis: await newServerAddress() };
	const cleanUp: Array<() => Promise<unknown>> = [];
	const stop = async (): Promise<void> => {
		while (cleanUp.length > 0) await cleanUp.pop()?.();
	};
	try {
		const folder = await makeTemporaryFolder();
		cleanUp.push(() => rm(folder, { recursive: true }));
		await giveToServers(folder);

		setStep('PostgreSQL and Redis');
		const postgres = await startPostgres(programs, folder, servers.postgres);
		cleanUp.push(() => postgres.stop());
		const redis = await startRedis(programs, folder, servers.redis);
		cleanUp.push(() => redis.stop());

		const encryptionKey = randomBytes(24).toString('hex');
		const { add, stop: stopProcesses } = new Processes(folder, tarball, {
			...queueEnvironment({ ...servers, publicUrl: url, encryptionKey }),
			...options.environment,
		});
		cleanUp.push(stopProcesses);
		setStep('the main process, which fills the database');
		const main = await add('main', 'start');
		setStep('two workers and two webhook processors');
		const named = await Promise.all(
			Object.entries(helpers).map(async ([name, command]) => {
				return { name, command, instance: await add(name, command) };
			}),
		);
		const all = (wanted: Command) =>
			named.filter(({ command }) => command === wanted).map(({ instance }) => instance);
		const [workers, processors] = [all('worker'), all('webhook')];
		const addresses = named.map(({ name, instance }) => [name, instance.url] as const);
		const hosts = { main: main.url, ...Object.fromEntries(addresses) };
		const proxy = await startProxy(programs, folder, port, hosts);
		cleanUp.push(() => proxy.stop());
		return { url, main, workers, processors, postgres, redis, proxy, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
