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

/** PostgreSQL with n8n's database in it. */
export interface Postgres extends LongRunning {
	/** Gives the rows of a query, each a list of texts, as the program `psql` prints them. */
	query(sql: string): Promise<string[][]>;
}

/** Starts a new PostgreSQL on 127.0.0.1 with an empty database for n8n, all below a folder. */
export async function startPostgres(
	{ postgresFolder: programs }: DebianPrograms,
	folder: string,
	{ host, port, password }: ServerAddress,
): Promise<Postgres> {
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
	const query = async (sql: string): Promise<string[][]> => {
		const { code, output } = await capture(
			path.join(programs, 'psql'),
			[
				...[...client, '--username', database.user, '--dbname', database.name],
				...['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--field-separator', '\t'],
				...['--command', sql],
			],
			{ environment: { ...environment, PGPASSWORD: password } },
		);
		if (code !== 0) throw new Error(`The query failed: ${output}`);
		return output.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
	};
	return { ...postgres, query };
}
