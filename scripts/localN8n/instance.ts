import { mkdir, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import path from 'node:path';
import axios from 'axios';
import { freePort } from '../shared/ports';
import { capture, startProgram } from '../shared/subprocess';
import { n8nEnvironment } from './environment';
import { n8nExecutable, nodeExecutable } from './installation';

export interface N8nOptions {
	userFolder: string; // below which n8n keeps its database, settings and community packages
	tarball?: string; // see `packPackage`; without it the package that is there is kept
	port?: number; // of editor and webhooks; a free one when left out
	environment?: Record<string, string>; // more settings, or other values than `n8nEnvironment`
	command?: 'start' | 'worker' | 'webhook'; // the last two are of queue mode
}

/** A running n8n; a restart leaves its folder and port as they are. */
export type N8nInstance = Awaited<ReturnType<typeof startN8n>>;

/** Where n8n looks for the package. */
export function packageFolder(userFolder: string): string {
	return path.join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-payment-pages');
}

/** Unpacks the package's tarball where n8n looks for community packages. */
export async function putPackage(userFolder: string, tarball: string): Promise<void> {
	const folder = packageFolder(userFolder);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	// npm packs everything below a folder named "package".
	const args = ['--extract', '--file', tarball, '--directory', folder, '--strip-components=1'];
	const { code, output } = await capture('tar', args);
	if (code !== 0) throw new Error(`${tarball} could not be unpacked: ${output}`);
}

/** Whether a new n8n does its work yet. */
async function isReady(url: string, command: NonNullable<N8nOptions['command']>): Promise<boolean> {
	const httpAgent = new Agent({ keepAlive: false });
	const options = { timeout: 5000, httpAgent, validateStatus: () => true };
	const get = (place: string) =>
		axios.get<unknown>(`${url}${place}`, options).catch(() => undefined);
	if (command === 'start') {
		// The REST API answers last. In JSON, it says that nobody is logged in.
		const answer = await get('/rest/login');
		return answer?.status === 401 && typeof answer.data === 'object';
	}
	if ((await get('/healthz/readiness'))?.status !== 200) return false;
	// A webhook processor of an older n8n says so before it knows any address. Then it answers in JSON.
	return command === 'worker' || typeof (await get('/webhook/none'))?.data === 'object';
}

/** Starts n8n on the loopback address, and waits until it answers: 10 s, or more the first time. */
export async function startN8n(options: N8nOptions) {
	const { userFolder, tarball, port = await freePort(), command = 'start' } = options;
	const url = `http://127.0.0.1:${port}`;
	await mkdir(userFolder, { recursive: true });
	if (tarball !== undefined) await putPackage(userFolder, tarball);
	const program = await startProgram({
		name: command === 'start' ? 'n8n' : `n8n ${command}`,
		program: nodeExecutable(),
		args: ['--require', path.join(__dirname, 'endWithParent.cjs'), n8nExecutable(), command],
		folder: userFolder,
		environment: {
			...n8nEnvironment({ userFolder, port, brokerPort: await freePort() }),
			// Of a worker alone, which has a health check only if it is asked for.
			QUEUE_HEALTH_CHECK_ACTIVE: String(command === 'worker'),
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			...options.environment,
		},
		logFile: path.join(userFolder, 'n8n.log'),
		isReady: () => isReady(url, command),
	});
	return { ...program, url, userFolder };
}
