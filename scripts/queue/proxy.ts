import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import path from 'node:path';
import axios from 'axios';
import { type LongRunning, startProgram } from '../shared/longRunning';
import { projectRoot } from '../shared/root';
import type { DebianPrograms } from './debian';
import { giveToServers, unprivileged } from './unprivileged';

/** The routing for users, which is used here, too. */
export const routingFile = path.join(projectRoot, 'docker', 'nginx.conf');

/** What the Docker image of nginx has around the routing. */
const settings = `worker_processes 1;
pid nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	include routing.conf;
}
`;

/** Puts addresses of this machine in the place of those inside Docker. */
async function routing(port: number, hosts: Record<string, string>, log: string): Promise<string> {
	let text = await readFile(routingFile, 'utf8');
	for (const [name, url] of Object.entries(hosts)) {
		text = text.replace(`server ${name}:5678`, `server ${new URL(url).host}`);
	}
	return text
		.replace('listen 80;', `listen 127.0.0.1:${port};`)
		.replace('/var/log/nginx/access.log', log);
}

/** A reverse proxy before n8n. */
export interface Proxy extends LongRunning {
	/** One line for each request: what was asked, the status, and which process answered. */
	readAccessLog(): Promise<string>;
}

/**
 * Starts nginx on 127.0.0.1, with its files below a folder.
 *
 * @param hosts addresses of the processes of n8n, by their name in the routing
 */
export async function startProxy(
	{ nginx }: DebianPrograms,
	folder: string,
	port: number,
	hosts: Record<string, string>,
): Promise<Proxy> {
	const data = path.join(folder, 'nginx');
	await mkdir(data);
	await giveToServers(data);
	const accessLog = path.join(data, 'access.log');
	await writeFile(path.join(data, 'nginx.conf'), settings);
	await writeFile(path.join(data, 'routing.conf'), await routing(port, hosts, accessLog));
	const program = await startProgram({
		name: 'nginx',
		...unprivileged(nginx, [
			...['-p', data, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;'],
		]),
		folder: data,
		environment: { PATH: process.env.PATH },
		logFile: path.join(folder, 'nginx.log'),
		isReady: async () => {
			const answer = await axios
				.get(`http://127.0.0.1:${port}/healthz`, {
					timeout: 5000,
					httpAgent: new Agent({ keepAlive: false }),
					// It is ready, also when n8n behind it is not.
					validateStatus: () => true,
				})
				.catch(() => undefined);
			return answer !== undefined;
		},
	});
	return { ...program, readAccessLog: () => readFile(accessLog, 'utf8') };
}
