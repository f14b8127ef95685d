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

/** Debian keeps servers where the PATH of an ordinary user does not look. */
function find(program: string): string | undefined {
	const files = ['/usr/bin', '/usr/sbin'].map((folder) => path.join(folder, program));
	return files.find((file) => existsSync(file));
}

/** Debian has a folder for each version of PostgreSQL; the newest is taken. */
async function findPostgresFolder(): Promise<string | undefined> {
	const root = '/usr/lib/postgresql';
	const versions = await readdir(root).catch(() => []);
	return versions
		.sort((left, right) => Number(right) - Number(left))
		.map((version) => path.join(root, version, 'bin'))
		.find((folder) => existsSync(path.join(folder, 'postgres')));
}

/** Finds the programs; if one is missing, the error says what to install. */
export async function findPrograms(): Promise<DebianPrograms> {
	const postgresFolder = await findPostgresFolder();
	const [redisServer, redisCli, nginx] = ['redis-server', 'redis-cli', 'nginx'].map(find);
	if (postgresFolder && redisServer && redisCli && nginx) {
		return { postgresFolder, redisServer, redisCli, nginx };
	}
	throw new PlainError(
		'Queue mode needs PostgreSQL, Redis and nginx. On Debian or Ubuntu, install them and run the command again:\n\n' +
			`  sudo apt-get install ${debianPackages.join(' ')}\n\n` +
			'The command runs them itself, on ports and data of their own.',
	);
}
