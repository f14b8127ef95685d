import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import type { Outcome } from './harness';
import { automatic, credentialsFor, useSandbox } from './sandbox';
import type { CredentialChange } from './sandbox';

/** Each error is built for real: what n8n makes of it on the way decides what the node can tell. */
const sandbox = useSandbox();
const servers: Server[] = [];

beforeEach(() => {
	// The shortest waits before a retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterAll(() => {
	for (const server of servers) server.close();
});

async function listen(server: Server): Promise<number> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

async function update(
	baseUrl: string,
	more: INodeParameters = {},
	change: CredentialChange = {},
): Promise<Outcome> {
	return await sandbox.run({
		rows: [{ id: 1 }],
		parameters: { ...automatic('update'), ...more },
		credentials: credentialsFor(sandbox.service, { baseUrl, ...change }),
	});
}

test.each(['127.0.0.1', 'localhost'])('refused connection at %s', async (host) => {
	const server = createTcpServer();
	const port = await listen(server);
	await new Promise((resolve) => server.close(resolve));
	const { error } = await update(`http://${host}:${port}/api`);
	expect(error?.message).toBe('Nothing accepts connections at the address of the service');
	expect(error?.description).toContain('For it, a request was sent again 3 times.');
});

test('unknown host', async () => {
	const { error } = await update('http://no-such-host.invalid/api');
	expect(error?.message).toMatch(
		/^The host in the address of the service (does not exist|cannot be looked up at the moment)$/,
	);
});

test('address without a way to it', async () => {
	const { error } = await update('http://255.255.255.255/api');
	expect(error?.message).toBe('The service cannot be reached');
});

const noTls = 'No secure connection to the service came about (its certificate or TLS)';

test('https where the service speaks http', async () => {
	const { error } = await update(sandbox.service.baseUrl.replace('http:', 'https:'));
	expect(error?.message).toBe(noTls);
	expect(error?.description).toContain('https://');
});

test('a certificate that nobody vouches for', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'payment-pages-tls-'));
	const key = path.join(folder, 'key.pem');
	const cert = path.join(folder, 'cert.pem');
	const request = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${key} -out ${cert}`;
	execFileSync('openssl', request.split(' '), { stdio: 'pipe' });
	const options = { key: readFileSync(key), cert: readFileSync(cert) };
	rmSync(folder, { recursive: true });
	const port = await listen(createHttpsServer(options));
	const { error } = await update(`https://127.0.0.1:${port}`);
	expect(error?.message).toBe(noTls);
});

const broken = 'The connection to the service broke before its answer was complete';

test('connection cut before the answer', async () => {
	sandbox.service.configure({ faults: [{ endpoint: 'update', kind: 'cutBeforeStoring' }] });
	const { error } = await update(sandbox.service.baseUrl);
	expect(error?.message).toBe(broken);
	expect(sandbox.requests).toHaveLength(4);
});

test('connection cut in the middle of the answer', async () => {
	const port = await listen(
		createHttpServer((_request, response) => {
			response.writeHead(200, { 'content-length': 100, 'content-type': 'application/json' });
			response.write('{"responseCode":"00"', () => response.destroy());
		}),
	);
	const { error } = await update(`http://127.0.0.1:${port}`);
	expect(error?.message).toBe(broken);
});

test('something that does not speak HTTP', async () => {
	const port = await listen(createTcpServer((socket) => socket.end('220 mail.example ready\r\n')));
	const { error } = await update(`http://127.0.0.1:${port}`);
	expect(error?.message).toBe(broken);
});

test.each(['hang', 'slowBody'] as const)('time-out: %s', async (kind) => {
	await sandbox.run({ parameters: { pageName: 'A' } });
	sandbox.service.configure({ faults: [{ endpoint: 'update', kind, milliseconds: 5000 }] });
	const { error } = await update(sandbox.service.baseUrl, { requestOptions: { timeout: 100 } });
	expect(error?.message).toBe('The service did not answer in time');
});

test('a credential that is restricted to other domains still reaches its own base URL', async () => {
	const { error } = await update(
		sandbox.service.baseUrl,
		{},
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' },
	);
	expect(error?.message).toBe('The service refused: No payment page has this id (code "25")');
});
