import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPrograms } from '../../scripts/queue/debian';

const root = mkdtempSync(path.join(tmpdir(), 'payment-pages-debian-'));
afterEach(() => rmSync(root, { recursive: true }));

function install(...files: string[]): void {
	for (const file of files.map((each) => path.join(root, 'usr', each))) {
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, '');
	}
}

const postgres = 'lib/postgresql/15/bin/postgres';
const servers = [postgres, 'bin/redis-server', 'bin/redis-cli', 'sbin/nginx'];

test('finds all programs, and the newest PostgreSQL', () => {
	install(...servers, 'lib/postgresql/9/bin/postgres', 'lib/postgresql/17/bin/psql');
	const [postgresFolder, redisServer, redisCli, nginx] = [
		path.dirname(postgres),
		...servers.slice(1),
	].map((file) => path.join(root, 'usr', file));
	expect(findPrograms(root)).toEqual({ postgresFolder, redisServer, redisCli, nginx });
});

test.each(servers)('without %s, says what to install', (missing) => {
	install(...servers.filter((file) => file !== missing));
	expect(() => findPrograms(root)).toThrow(
		/^Queue mode needs PostgreSQL, Redis and nginx\..*\n\n {2}sudo apt-get install postgresql redis-server nginx\n/,
	);
});
