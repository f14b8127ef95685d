import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
	connect,
	createServer as createTcpServer,
	type AddressInfo,
	type Server,
	type Socket,
} from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { selfSignedCertificate } from '../certificate';
import type { Outcome } from './harness';
import { automatic, credentialsFor, useSandbox, type CredentialChange } from './sandbox';

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
		rows: [{}],
		parameters: { operation: 'update', id: '1', updateFields: { amount: '5' }, ...more },
		credentials: credentialsFor(sandbox.service, { baseUrl, ...change }),
	});
}

test.each(['127.0.0.1', 'localhost'])('refused connection at %s', async (host) => {
	const server = createTcpServer();
	const port = await listen(server);
	await new Promise((resolve) => server.close(resolve));
	const { error } = await update(`http://${host}:${port}/api`);
	expect(error?.message).toBe('Nothing accepts connections at the Base URL');
	expect(error?.description).toContain('In Docker, this address is the container itself');
});

test('unknown host', async () => {
	const { error } = await update('http://no-such-host.invalid/api');
	expect(error?.message).toMatch(
		/^The host in the Base URL (does not exist|cannot be looked up at the moment)$/,
	);
});

test('address without a way to it', async () => {
	const { error } = await update('http://255.255.255.255/api');
	expect(error?.message).toBe('The service cannot be reached');
});

const noTls = 'The secure connection to the service (TLS) failed';

test('https where the service speaks http', async () => {
	const { error } = await update(sandbox.service.baseUrl.replace('http:', 'https:'));
	expect(error?.message).toBe(noTls);
	expect(error?.description).toContain('use https:// only if');
});

/** As a TLS record: alert, version 1.2, two bytes; it is fatal. */
function alert(code: number): Buffer {
	return Buffer.from([21, 3, 3, 0, 2, 2, code]);
}

test.each([
	['handshake failure', 40],
	['protocol version', 70],
])('a handshake that the service ends: %s', async (_name, code) => {
	const server = createTcpServer((socket) => socket.on('data', () => socket.end(alert(code))));
	const { error } = await update(`https://127.0.0.1:${await listen(server)}`);
	expect(error?.message).toBe(noTls);
});

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('%s that breaks after the request', (maxVersion) => {
	/** Something between n8n and the service that writes what is not TLS, once a request is there. */
	async function listenBroken(bytes: Buffer): Promise<{ port: number; requests: string[] }> {
		const requests: string[] = [];
		const sockets: Socket[] = [];
		const options = { ...(await selfSignedCertificate('localhost')), maxVersion };
		const service = createHttpsServer(options, ({ method }) => {
			requests.push(method ?? '');
			for (const socket of sockets.splice(0)) socket.write(bytes);
		});
		const servicePort = await listen(service);
		const between = createTcpServer((socket) => {
			sockets.push(socket);
			const onward = connect(servicePort, '127.0.0.1');
			socket.pipe(onward).pipe(socket);
			for (const end of [socket, onward]) end.on('error', () => undefined);
		});
		return { port: await listen(between), requests };
	}

	/** As if nobody looked at the certificate, so that the request is sent. */
	const requestOptions = { allowUnauthorizedCerts: true, timeout: 5000 };

	test.each([
		['a record that cannot be decrypted', Buffer.from([23, 3, 3, 0, 64, ...Array(64).keys()])],
		['plain text', Buffer.from('HTTP/1.1 502 Bad Gateway\r\n\r\n')],
	])('%s: the request may have been carried out', async (_name, bytes) => {
		const { port, requests } = await listenBroken(bytes);
		const { error } = await update(`https://127.0.0.1:${port}`, { requestOptions });
		expect(error?.message).toBe('The secure connection to the service (TLS) failed');
		expect(error?.description).toContain('may still have been processed');
		expect(requests).toHaveLength(4);
	});

	test('a create is not sent again, and is asked about', async () => {
		const { port, requests } = await listenBroken(
			Buffer.from([23, 3, 3, 0, 64, ...Array(64).keys()]),
		);
		const { error } = await sandbox.run({
			rows: [{ pageName: 'A' }],
			parameters: { ...automatic('create'), requestOptions },
			credentials: credentialsFor(sandbox.service, { baseUrl: `https://127.0.0.1:${port}` }),
		});
		expect(requests).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
		expect(error?.message).toContain('it could not be determined whether the page "a" was created');
	});
});

const broken = 'The connection to the service was lost before the response was complete';

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
	expect(error?.message).toBe('The service did not respond in time');
});

test('a credential that is restricted to other domains still reaches its own base URL', async () => {
	const { error } = await update(
		sandbox.service.baseUrl,
		{},
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' },
	);
	expect(error?.message).toBe(
		'The service rejected the request: No payment page has this id (code "25")',
	);
});
