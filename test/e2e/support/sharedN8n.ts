import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { N8nInstance } from '../../../scripts/localN8n/instance';
import { waitFor } from '../../../scripts/shared/waitFor';
import { startPreparedN8n } from './preparedFolder';

/** A test file that begins while all are in use waits for the end of another. */
const longestFile = 600_000;

/** An n8n that test files use one after the other; it is started for the first of them. */
interface Shared {
	environment: Record<string, string>;
	started?: Promise<N8nInstance>;
	isInUse: boolean;
}

/** Of the two, one has n8n's settings as they are, the other what the README advises for many events. */
const shared: Shared[] = [
	{ environment: {}, isInUse: false },
	{ environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }, isInUse: false },
];

let server: Server | undefined;

async function lend(): Promise<Shared> {
	const free = await waitFor(() => shared.find(({ isInUse }) => !isInUse), {
		what: 'another test file to end',
		timeoutMilliseconds: longestFile,
	});
	free.isInUse = true;
	return free;
}

/**
 * Lends the shared n8n to test files, which run in processes of their own: `POST /` gives one that
 * nobody uses, and takes it back when the connection ends, however that happens.
 */
export async function serveSharedN8n(): Promise<void> {
	server = createServer((_request, response) => {
		void (async () => {
			const lent = await lend();
			response.on('close', () => (lent.isInUse = false));
			lent.started ??= startPreparedN8n(lent.environment);
			const { url, userFolder } = await lent.started;
			response.write(`${JSON.stringify({ url, userFolder })}\n`);
		})().catch((error: unknown) => response.destroy(error as Error));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	process.env.PAYMENT_PAGES_SHARED_N8N = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends all that were started. */
export async function stopSharedN8n(): Promise<void> {
	server?.closeAllConnections();
	server?.close();
	for (const { started } of shared) await (await started)?.stop();
}

/** A shared n8n while a test file uses it. */
export interface LentN8n {
	url: string;
	userFolder: string;
	giveBack: () => void;
}

/** Waits for an n8n that no other test file uses. */
export async function borrowN8n(): Promise<LentN8n> {
	const asked = request(process.env.PAYMENT_PAGES_SHARED_N8N ?? '', { method: 'POST' }).end();
	const [response] = (await once(asked, 'response')) as [IncomingMessage];
	const [line] = (await once(response, 'data')) as [Buffer];
	const { url, userFolder } = JSON.parse(line.toString()) as { url: string; userFolder: string };
	return { url, userFolder, giveBack: () => void asked.destroy() };
}
