import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { PlainError } from '../shared/plainError';

/** The Debian packages with what queue mode needs beside n8n; `.ci/run` installs the same. */
export const debianPackages = ['postgresql', 'redis-server', 'nginx'];

/** Where the programs of these packages are. */
export interface DebianPrograms {
	/** The folder with all programs of PostgreSQL. */
	postgresFolder: string;
	redisServer: string;
	redisCli: string;
	nginx: string;
}

/** Debian has a folder for each version of PostgreSQL; the newest is taken. */
async function findPostgresFolder(root: string): Promise<string | undefined> {
	const folder = path.join(root, 'usr', 'lib', 'postgresql');
	const versions = await readdir(folder).catch(() => []);
	return versions
		.sort((left, right) => Number(right) - Number(left))
		.map((version) => path.join(folder, version, 'bin'))
		.find((programs) => existsSync(path.join(programs, 'postgres')));
}

async function lookUp(root: string): Promise<Partial<DebianPrograms>> {
	// Not by PATH: it leaves out /usr/sbin for ordinary users.
	const find = (program: string): string | undefined =>
		['bin', 'sbin']
			.map((folder) => path.join(root, 'usr', folder, program))
			.find((file) => existsSync(file));
	return {
		postgresFolder: await findPostgresFolder(root),
		redisServer: find('redis-server'),
		redisCli: find('redis-cli'),
		nginx: find('nginx'),
	};
}

/**
 * The packages that are not installed.
 *
 * @param root the folder that holds `usr`
 */
export async function missingPackages(root = '/'): Promise<string[]> {
	const { postgresFolder, redisServer, redisCli, nginx } = await lookUp(root);
	const isThere = [postgresFolder, redisServer && redisCli, nginx];
	return debianPackages.filter((_name, index) => isThere[index] === undefined);
}

/**
 * Finds the programs; if one is missing, the error says what to install.
 *
 * @param root the folder that holds `usr`
 */
export async function findPrograms(root = '/'): Promise<DebianPrograms> {
	const { postgresFolder, redisServer, redisCli, nginx } = await lookUp(root);
	if (postgresFolder && redisServer && redisCli && nginx) {
		return { postgresFolder, redisServer, redisCli, nginx };
	}
	throw new PlainError(
		'Queue mode needs PostgreSQL, Redis and nginx. On Debian or Ubuntu, install them and run the command again:\n\n' +
			`  sudo apt-get install ${debianPackages.join(' ')}\n\n` +
			'The command starts them itself, with its own ports and data.',
	);
}
