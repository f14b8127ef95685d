import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPrograms } from '../../scripts/queue/debian';

let root: string;

beforeEach(async () => {
	root = await mkdtemp(path.join(tmpdir(), 'payment-pages-debian-'));
});
afterEach(() => rm(root, { recursive: true }));

async function install(...files: string[]): Promise<void> {
	for (const file of files) {
		await mkdir(path.join(root, path.dirname(file)), { recursive: true });
		await writeFile(path.join(root, file), '');
	}
}

const servers = ['usr/bin/redis-server', 'usr/bin/redis-cli', 'usr/sbin/nginx'];
const postgres = (version: number) => `usr/lib/postgresql/${version}/bin/postgres`;

test('finds all programs, and the newest PostgreSQL', async () => {
	await install(...servers, postgres(9), postgres(15), 'usr/lib/postgresql/17/bin/psql');
	expect(findPrograms(root)).toEqual({
		postgresFolder: path.join(root, path.dirname(postgres(15))),
		redisServer: path.join(root, 'usr/bin/redis-server'),
		redisCli: path.join(root, 'usr/bin/redis-cli'),
		nginx: path.join(root, 'usr/sbin/nginx'),
	});
});

test.each([...servers, postgres(15)])('without %s, says what to install', async (missing) => {
	await install(...[...servers, postgres(15)].filter((file) => file !== missing));
	expect(() => findPrograms(root)).toThrow(
		/^Queue mode needs PostgreSQL, Redis and nginx\..*\n\n {2}sudo apt-get install postgresql redis-server nginx\n/,
	);
});
