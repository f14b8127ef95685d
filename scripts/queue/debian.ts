import { globSync } from 'node:fs';
import path from 'node:path';
import { PlainError } from '../shared/terminal';

/** Where Debian has the programs that queue mode needs beside n8n, by the name of the package. */
const patterns = {
	postgresql: ['lib/postgresql/*/bin/postgres'],
	'redis-server': ['{bin,sbin}/redis-server', '{bin,sbin}/redis-cli'],
	nginx: ['{bin,sbin}/nginx'],
};

/** The packages; `.ci/run` installs the same. */
export const debianPackages = Object.keys(patterns) as Array<keyof typeof patterns>;

/** The programs of a package; of several versions the newest. Not by PATH, which leaves out /usr/sbin. */
function find(root: string, name: keyof typeof patterns): Array<string | undefined> {
	const usr = path.join(root, 'usr');
	return patterns[name].map((pattern) => {
		const found = globSync(pattern, { cwd: usr });
		const newest = found.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
		return newest && path.join(usr, newest);
	});
}

/** The packages that are not installed, below a root folder. */
export function missingPackages(root = '/'): string[] {
	return debianPackages.filter((name) => find(root, name).includes(undefined));
}

/** Where the programs of the packages are; those of PostgreSQL are all in one folder. */
export type DebianPrograms = ReturnType<typeof findPrograms>;

/** Finds the programs below a root folder; if one is missing, the error says what to install. */
export function findPrograms(root = '/') {
	const all = debianPackages.flatMap((name) => find(root, name));
	const [postgres, redisServer, redisCli, nginx] = all;
	if (postgres && redisServer && redisCli && nginx) {
		return { postgresFolder: path.dirname(postgres), redisServer, redisCli, nginx };
	}
	throw new PlainError(`Queue mode needs PostgreSQL, Redis and nginx. On Debian or Ubuntu, install them:

  sudo apt-get install ${debianPackages.join(' ')}

Then run the command again. It starts them itself, with its own ports and data.`);
}
