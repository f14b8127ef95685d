import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import axios from 'axios';
import { projectRoot } from '../shared/root';
import { capture, type LongRunning, type ProgramOptions, startProgram } from '../shared/subprocess';
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
function unprivileged(command: string[], signal: NodeJS.Signals) {
	const asUser = [`--reuid=${user.name}`, `--regid=${user.group}`, '--clear-groups'];
	const withParent = `--pdeathsig=${signal.replace('SIG', '')}`;
	return { program: 'setpriv', args: [...(isRoot ? asUser : []), withParent, '--', ...command] };
}

interface Server extends Pick<ProgramOptions, 'name' | 'isReady' | 'stopSignal'> {
	command: string[];
	data: string; // its folder; its log lies beside it
}

function startServer({ command, data, stopSignal = 'SIGTERM', ...server }: Server) {
	const logFile = `${data}.log`;
	const options = { ...server, folder: data, environment, logFile, stopSignal };
	return startProgram({ ...options, ...unprivileged(command, stopSignal) });
}

/** PostgreSQL with n8n's database in it; a query gives its rows, each a list of texts. */
export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** Starts a new PostgreSQL on 127.0.0.1 with an empty database for n8n, all below a folder. */
export async function startPostgres(programs: DebianPrograms, folder: string, at: ServerAddress) {
	const { host, port, password } = at;
	const data = await giveToServers(path.join(folder, 'postgres'));
	const program = (name: string) => path.join(programs.postgresFolder, name);
	const login = { PGHOST: host, PGPORT: String(port), PGUSER: database.user, PGPASSWORD: password };
	const options = { folder: data, environment: { ...environment, ...login } };
	/** Runs one of its programs to the end, and gives what that printed. */
	const run = async (name: string, ...args: string[]): Promise<string> => {
		const command = unprivileged([program(name), ...args], 'SIGTERM');
		const { code, output } = await capture(command.program, command.args, options);
		if (code !== 0) throw new Error(`${name} failed: ${output}`);
		return output;
	};
	const passwordFile = await giveToServers(`${data}.password`, password);
	const owner = ['--username', database.user, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
	await run('initdb', '--pgdata', data, '--encoding', 'UTF8', '--no-sync', ...owner);
	await rm(passwordFile);
	// Only over the network, as in most installations.
	const args = ['-D', data, '-h', host, '-p', String(port), '-c', 'unix_socket_directories='];
	const postgres = await startServer({
		name: 'PostgreSQL',
		command: [program('postgres'), ...args],
		data,
		isReady: async () => (await capture(program('pg_isready'), [], options)).code === 0,
		stopSignal: 'SIGINT', // ends it without waiting for its clients
	});
	await run('createdb', database.name);
	const query = async (sql: string): Promise<string[][]> => {
		// Rows alone, their columns apart by tabs.
		const form = ['--no-psqlrc', '-qAt', '--field-separator', '\t'];
		const output = await run('psql', ...form, '--dbname', database.name, '--command', sql);
		return output.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
	};
	return { ...postgres, query };
}

/** What n8n's queue needs of a Redis: no one else may use it, and a restart loses nothing. */
export function redisSettings(password: string): Record<string, string> {
	return { requirepass: password, appendonly: 'yes', save: '' };
}

/** Starts a new Redis on 127.0.0.1 that keeps the queue on disk, below a folder. */
export async function startRedis(programs: DebianPrograms, folder: string, at: ServerAddress) {
	const { host, port, password } = at;
	const data = await giveToServers(path.join(folder, 'redis'));
	const settings = { bind: host, port, dir: data, ...redisSettings(password) };
	const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}"\n`);
	// In a file, since everybody can read the arguments of a program.
	const file = await giveToServers(path.join(data, 'redis.conf'), lines.join(''));
	const ping = ['-h', host, '-p', String(port), 'ping'];
	const login = { environment: { ...environment, REDISCLI_AUTH: password } };
	const isReady = async () =>
		(await capture(programs.redisCli, ping, login)).output.includes('PONG');
	return startServer({ name: 'Redis', command: [programs.redisServer, file], data, isReady });
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

/** Starts nginx before the processes of n8n by their name in the routing; it logs each request. */
export async function startProxy(
	{ nginx }: DebianPrograms,
	folder: string,
	port: number,
	hosts: Record<string, string>,
): Promise<LongRunning & { readAccessLog(): Promise<string> }> {
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
	const options = ['-p', data, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;'];
	// It is ready, also when n8n behind it is not.
	const address = `http://127.0.0.1:${port}/healthz`;
	const ask = () => axios.head(address, { validateStatus: () => true }).catch(() => undefined);
	const isReady = async () => (await ask()) !== undefined;
	const server = await startServer({ name: 'nginx', command: [nginx, ...options], data, isReady });
	return { ...server, readAccessLog: () => readFile(accessLog, 'utf8') };
}
