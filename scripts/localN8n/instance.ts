import { mkdir } from 'node:fs/promises';
import { Agent } from 'node:http';
import path from 'node:path';
import axios from 'axios';
import { type LongRunning, startProgram } from '../shared/longRunning';
import { freePort } from '../shared/ports';
import { putPackage } from './communityPackage';
import { n8nEnvironment } from './environment';
import { n8nExecutable, nodeExecutable } from './installation';

export interface N8nOptions {
	/** n8n keeps its database, settings and community packages below this folder. */
	userFolder: string;
	/** The package's tarball, see `packPackage`; without it the package that is there is kept. */
	tarball?: string;
	/** The port of editor and webhooks; a free one when left out. */
	port?: number;
	/** More settings of n8n, or other values than those of `n8nEnvironment`. */
	environment?: Record<string, string>;
	/** `start` runs n8n itself; queue mode adds workers and processes for webhooks alone. */
	command?: 'start' | 'worker' | 'webhook';
}

/** A running n8n; a restart leaves its folder and port as they are. */
export interface N8nInstance extends LongRunning {
	url: string;
	userFolder: string;
}

async function get(url: string) {
	return axios
		.get<unknown>(url, {
			timeout: 5000,
			httpAgent: new Agent({ keepAlive: false }),
			validateStatus: () => true,
		})
		.catch(() => undefined);
}

/**
 * Health checks of the main process answer before its REST API does, so the API itself is asked: it
 * says in JSON that nobody is logged in.
 */
async function isMainReady(url: string): Promise<boolean> {
	const answer = await get(`${url}/rest/login`);
	return answer?.status === 401 && typeof answer.data === 'object';
}

/** The others have no REST API; a worker has a health check only if it is asked for. */
async function isHelperReady(url: string, command: 'worker' | 'webhook'): Promise<boolean> {
	if ((await get(`${url}/healthz/readiness`))?.status !== 200) return false;
	// A webhook processor of an older n8n says so before it knows any address. Then it answers in JSON.
	return command === 'worker' || typeof (await get(`${url}/webhook/none`))?.data === 'object';
}

/** The port is that of a worker's health check, too. */
function workerEnvironment(port: number): Record<string, string> {
	return {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
}

/**
 * Starts n8n, bound to the loopback address, and waits until it answers
 * (10 s; more when the database is new). If n8n ends instead, the error holds its last words.
 */
export async function startN8n(options: N8nOptions): Promise<N8nInstance> {
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
			...(command === 'worker' && workerEnvironment(port)),
			...options.environment,
		},
		logFile: path.join(userFolder, 'n8n.log'),
		isReady: () => (command === 'start' ? isMainReady(url) : isHelperReady(url, command)),
	});
	return { ...program, url, userFolder };
}
