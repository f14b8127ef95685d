import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { N8nInstance } from '../../../scripts/localN8n/instance';
import { startPreparedN8n } from './preparedFolder';

/** What the README advises for many events; files with an n8n of their own have it as it is. */
const environment = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** By the number of jest's worker, whose test files use it one after the other. */
const started = new Map<number, Promise<N8nInstance>>();

let server: Server | undefined;

/** Starts an n8n for each worker that asks for one, with its first file that does. */
export async function serveSharedN8n(): Promise<void> {
	server = createServer((request, response) => {
		const worker = Number(request.url?.slice(1));
		const n8n = started.get(worker) ?? startPreparedN8n(environment);
		started.set(worker, n8n);
		n8n.then(
			({ url, userFolder }) => response.end(JSON.stringify({ url, userFolder })),
			(error: unknown) => response.writeHead(500).end(String(error)),
		);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	process.env.PAYMENT_PAGES_SHARED_N8N = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function stopSharedN8n(): Promise<void> {
	server?.close();
	await Promise.all([...started.values()].map(async (n8n) => (await n8n).stop()));
}

/** The n8n of the worker that runs this file. */
export async function sharedN8n(): Promise<Pick<N8nInstance, 'url' | 'userFolder'>> {
	const { PAYMENT_PAGES_SHARED_N8N: lender, JEST_WORKER_ID: worker } = process.env;
	const answer = await fetch(`${lender}/${worker}`);
	if (!answer.ok) throw new Error(await answer.text());
	return (await answer.json()) as { url: string; userFolder: string };
}
