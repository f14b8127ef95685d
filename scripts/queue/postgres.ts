import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LongRunning, startProgram } from '../shared/longRunning';
import { capture } from '../shared/subprocess';
import type { DebianPrograms } from './debian';
import { database, type ServerAddress } from './environment';
import { giveToServers, runUnprivileged, unprivileged } from './unprivileged';

const environment = { LC_ALL: 'C.UTF-8', PATH: process.env.PATH };

/** Makes the files of a new PostgreSQL, whose only user has this password. */
async function initialize(programs: string, data: string, password: string): Promise<void> {
	const passwordFile = `${data}.password`;
	await writeFile(passwordFile, password, { mode: 0o600 });
	await giveToServers(passwordFile);
	await runUnprivileged(
		path.join(programs, 'initdb'),
		[
			...['--pgdata', data, '--username', database.user, '--pwfile', passwordFile],
			...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-sync'],
		],
		data,
		environment,
	);
	await rm(passwordFile);
}

/** Starts a new PostgreSQL on 127.0.0.1 with an empty database for n8n, all below a folder. */
export async function startPostgres(
	{ postgresFolder: programs }: DebianPrograms,
	folder: string,
	{ host, port, password }: ServerAddress,
): Promise<LongRunning> {
	const data = path.join(folder, 'postgres');
	await mkdir(data);
	await giveToServers(data);
	await initialize(programs, data, password);

	const client = ['--host', host, '--port', String(port)];
	const isReady = path.join(programs, 'pg_isready');
	// SIGINT ends it without waiting for its clients.
	const stopSignal = 'SIGINT';
	const postgres = await startProgram({
		name: 'PostgreSQL',
		...unprivileged(
			path.join(programs, 'postgres'),
			[
				...['-D', data, '-h', host, '-p', String(port)],
				// Only over the network, as in most installations.
				...['-c', 'unix_socket_directories='],
			],
			stopSignal,
		),
		folder: data,
		environment,
		logFile: path.join(folder, 'postgres.log'),
		isReady: async () => (await capture(isReady, client)).code === 0,
		stopSignal,
	});
	try {
		await runUnprivileged(
			path.join(programs, 'createdb'),
			[...client, '--username', database.user, database.name],
			data,
			{ ...environment, PGPASSWORD: password },
		);
	} catch (error) {
		await postgres.stop();
		throw error;
	}
	return postgres;
}
