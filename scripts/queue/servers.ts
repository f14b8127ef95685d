import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import axios from 'axios';
import { projectRoot } from '../shared/root';
import { capture, type LongRunning, startProgram } from '../shared/subprocess';
import type { DebianPrograms } from './debian';
import { database, type ServerAddress } from './environment';

/** Who runs the servers when root starts them: PostgreSQL does not run as root. */
const user = { name: 'nobody', id: 65_534, group: 'nogroup', groupId: 65_534 };
const isRoot = process.getuid?.() === 0;

const environment = { LC_ALL: 'C.UTF-8', PATH: process.env.PATH };

/** Makes a folder, or a file with a secret, that belongs to the user who runs the servers. */
export async function giveToServers(name: string, content?: string): Promise<string> {
	if (content === undefined) await mkdir(name, { recursive: true });
	else await writeFile(name, content, { mode: 0o600 });
	if (isRoot) await chown(name, user.id, user.groupId);
	return name;
}

/** A command as that user; the program gets the signal when the process that starts it ends. */
function unprivileged(program: string, args: string[], signal: NodeJS.Signals = 'SIGTERM') {
	const asUser = [`--reuid=${user.name}`, `--regid=${user.group}`, '--clear-groups'];
	const withParent = `--pdeathsig=${signal.replace('SIG', '')}`;
	const all = [...(isRoot ? asUser : []), withParent, '--', program, ...args];
	return { program: 'setpriv', args: all };
}

/** Runs a program of PostgreSQL to its end, and gives what it printed. */
async function run(program: string, args: string[], folder: string, more = {}): Promise<string> {
	const command = unprivileged(program, args);
	const options = { folder, environment: { ...environment, ...more } };
	const { code, output } = await capture(command.program, command.args, options);
	if (code !== 0) throw new Error(`${program} failed: ${output}`);
	return output;
}

/** PostgreSQL with n8n's database in it; a query gives its rows, each a list of texts. */
export type Postgres = LongRunning & { query(sql: string): Promise<string[][]> };

/** Starts a new PostgreSQL on 127.0.0.1 with an empty database for n8n, all below a folder. */
export async function startPostgres(
	{ postgresFolder }: DebianPrograms,
	folder: string,
	{ host, port, password }: ServerAddress,
): Promise<Postgres> {
	const program = (name: string) => path.join(postgresFolder, name);
	const data = await giveToServers(path.join(folder, 'postgres'));
	const passwordFile = await giveToServers(`${data}.password`, password);
	const owner = ['--username', database.user, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
	const form = ['--pgdata', data, '--encoding', 'UTF8', '--no-sync'];
	await run(program('initdb'), [...form, ...owner], data);
	await rm(passwordFile);
	const client = ['--host', host, '--port', String(port)];
	// SIGINT ends it without waiting for its clients.
	const stopSignal = 'SIGINT';
	// Only over the network, as in most installations.
	const args = ['-D', data, '-h', host, '-p', String(port), '-c', 'unix_socket_directories='];
	const postgres = await startProgram({
		name: 'PostgreSQL',
		...unprivileged(program('postgres'), args, stopSignal),
		folder: data,
		environment,
		logFile: path.join(folder, 'postgres.log'),
		isReady: async () => (await capture(program('pg_isready'), client)).code === 0,
		stopSignal,
	});
	const plain = [
		'--no-psqlrc',
		'--quiet',
		'--tuples-only',
		'--no-align',
		'--field-separator',
		'\t',
	];
	const query = async (sql: string, name = database.name): Promise<string[][]> => {
		const all = [
			...client,
			'--username',
			database.user,
			'--dbname',
			name,
			...plain,
			'--command',
			sql,
		];
		const output = await run(program('psql'), all, data, { PGPASSWORD: password });
		return output.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
	};
	await query(`CREATE DATABASE ${database.name}`, 'postgres');
	return { ...postgres, query };
}

/** What n8n's queue needs of a Redis: no one else may use it, and a restart loses nothing. */
export function redisSettings(password: string): Record<string, string> {
	return { requirepass: password, appendonly: 'yes', save: '' };
}

/** Starts a new Redis on 127.0.0.1 that keeps the queue on disk, below a folder. */
export async function startRedis(
	{ redisServer, redisCli }: DebianPrograms,
	folder: string,
	{ host, port, password }: ServerAddress,
): Promise<LongRunning> {
	const data = await giveToServers(path.join(folder, 'redis'));
	const settings = { bind: host, port, dir: data, ...redisSettings(password) };
	const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}"\n`);
	// In a file, since everybody can read the arguments of a program.
	const file = await giveToServers(path.join(data, 'redis.conf'), lines.join(''));
	const ping = ['-h', host, '-p', String(port), 'ping'];
	const login = { environment: { ...environment, REDISCLI_AUTH: password } };
	return startProgram({
		name: 'Redis',
		...unprivileged(redisServer, [file]),
		folder: data,
		environment,
		logFile: path.join(folder, 'redis.log'),
		isReady: async () => (await capture(redisCli, ping, login)).output.includes('PONG'),
	});
}

/** The routing for users, which is used here, too. */
export const routingFile = path.join(projectRoot, 'docker', 'nginx.conf');

/** What the Docker image of nginx has around the routing. */
const nginxSettings = `worker_processes 1;
pid nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
	client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi; scgi_temp_path scgi;
	include routing.conf;
}
`;

/** A reverse proxy before n8n; its access log has a line for each request. */
export type Proxy = LongRunning & { readAccessLog(): Promise<string> };

/** Starts nginx on 127.0.0.1, before the processes of n8n by their name in the routing. */
export async function startProxy(
	{ nginx }: DebianPrograms,
	folder: string,
	port: number,
	hosts: Record<string, string>,
): Promise<Proxy> {
	const data = await giveToServers(path.join(folder, 'nginx'));
	const accessLog = path.join(data, 'access.log');
	let routing = (await readFile(routingFile, 'utf8'))
		.replace('listen 80;', `listen 127.0.0.1:${port};`)
		.replace('/var/log/nginx/access.log', accessLog);
	for (const [name, url] of Object.entries(hosts)) {
		routing = routing.replace(`server ${name}:5678`, `server ${new URL(url).host}`);
	}
	await giveToServers(path.join(data, 'nginx.conf'), nginxSettings);
	await giveToServers(path.join(data, 'routing.conf'), routing);
	const program = await startProgram({
		name: 'nginx',
		...unprivileged(nginx, ['-p', data, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;']),
		folder: data,
		environment,
		logFile: path.join(folder, 'nginx.log'),
		// It is ready, also when n8n behind it is not.
		isReady: () =>
			axios.get(`http://127.0.0.1:${port}/healthz`, { validateStatus: () => true }).then(
				() => true,
				() => false,
			),
	});
	return { ...program, readAccessLog: () => readFile(accessLog, 'utf8') };
}
