import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LongRunning, startProgram } from '../shared/longRunning';
import { capture } from '../shared/subprocess';
import type { DebianPrograms } from './debian';
import type { ServerAddress } from './environment';
import { giveToServers, unprivileged } from './unprivileged';

/** What n8n's queue needs of a Redis: nobody else may use it, and a restart loses nothing. */
export function redisSettings(password: string): Record<string, string> {
	return { requirepass: password, appendonly: 'yes', save: '' };
}

/** Starts a new Redis on 127.0.0.1 that keeps the queue on disk, below a folder. */
export async function startRedis(
	{ redisServer, redisCli }: DebianPrograms,
	folder: string,
	{ host, port, password }: ServerAddress,
): Promise<LongRunning> {
	const data = path.join(folder, 'redis');
	await mkdir(data);
	await giveToServers(data);
	// In a file, since everybody can read the arguments of a program.
	const settings = path.join(data, 'redis.conf');
	const lines = Object.entries({ bind: host, port, dir: data, ...redisSettings(password) }).map(
		([name, value]) => `${name} "${value}"\n`,
	);
	await writeFile(settings, lines.join(''), { mode: 0o600 });
	await giveToServers(settings);
	const ping = ['-h', host, '-p', String(port), 'ping'];
	const environment = { PATH: process.env.PATH };
	return startProgram({
		name: 'Redis',
		...unprivileged(redisServer, [settings]),
		folder: data,
		environment,
		logFile: path.join(folder, 'redis.log'),
		isReady: async () => {
			const answer = await capture(redisCli, ping, {
				environment: { ...environment, REDISCLI_AUTH: password },
			});
			return answer.output.includes('PONG');
		},
	});
}
