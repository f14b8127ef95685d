import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';

import type { INodeParameters } from 'n8n-workflow';

import { freePort } from '../../scripts/shared/ports';
import { waitFor } from '../../scripts/shared/waitFor';
import { selfSignedCertificate } from '../support/certificate';
import { startForwardProxy, type ForwardProxy, type ProxyBehaviour } from '../support/forwardProxy';
import { useQuickWaits } from '../support/quickWaits';
import { startTlsFront, type TlsFront } from '../support/tlsFront';
import { testCredential } from './harness/credentialTest';
import { credentialsFor, operationNames, operations, useSandbox } from './sandbox';

/**
 * What goes wrong on the way to the service. Each error is built for real: what n8n makes of it on the
 * way decides what the node can tell.
 */
useQuickWaits();
const sandbox = useSandbox();
const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = async (bytes: string | Buffer) =>
	await listen(createServer((socket) => socket.once('data', () => socket.end(bytes))));

/** As a TLS record: alert, version 1.2, two bytes; fatal, a handshake failure. */
const alert = Buffer.from([21, 3, 3, 0, 2, 2, 40]);

const halfAnswer = createHttpServer((_request, response) => {
	response.writeHead(200, { 'content-length': 100, 'content-type': 'application/json' });
	response.write('{"responseCode":"00"', () => response.destroy());
});

/** Something on the way that answers a request in TLS with what is no TLS. */
async function brokenTls(): Promise<Server> {
	const certificate = await selfSignedCertificate('localhost');
	return createServer((socket) => {
		const tls = new TLSSocket(socket, { isServer: true, ...certificate });
		tls.once('data', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
		for (const end of [socket, tls]) end.on('error', () => undefined);
	});
}

const dead = /^Nothing accepts connections at the Base URL$/;
const noTls = /^The secure connection to the service \(TLS\) failed$/;
const broken = /^The connection to the service was lost before the response was complete$/;
const unknown = /^The host in the Base URL (does not exist|cannot be looked up at the moment)$/;

test.each<[what: string, url: () => Promise<string>, message: RegExp, isInDoubt: boolean]>([
	['nobody listens', async () => `http://127.0.0.1:${await freePort()}`, dead, false],
	['nor at any address of a name', async () => `http://localhost:${await freePort()}`, dead, false],
	['an unknown host', async () => 'http://no-such-host.invalid/api', unknown, false],
	['no way', async () => 'http://255.255.255.255/api', /^The service cannot be reached$/, false],
	['http instead', async () => sandbox.service.baseUrl.replace(':', 's:'), noTls, true],
	['a rejected handshake', async () => `https://${await answering(alert)}`, noTls, true],
	['TLS that breaks', async () => `https://${await listen(await brokenTls())}`, noTls, true],
	['no HTTP', async () => `http://${await answering('220 mail ready\r\n')}`, broken, true],
	['half an answer', async () => `http://${await listen(halfAnswer)}`, broken, true],
])('%s is tried again', async (_what, url, message, isInDoubt) => {
	const { error, told } = await sandbox.run({
		parameters: operations.update,
		credential: { baseUrl: await url(), allowUnauthorizedCerts: true },
	});
	expect(error?.message).toMatch(message);
	expect(sandbox.retries).toBe(3);
	expect(told.includes('may still have been processed')).toBe(isInDoubt);
	expect(told.includes('In Docker, this address is the container')).toBe(message === dead);
});

test.each(['update', 'validate', 'register'] as const)(
	'%s tells of an earlier try that may have been processed',
	async (name) => {
		const server = createHttpServer((_request, response) => {
			response.writeHead(502, { connection: 'close' }).end(() => server.close());
		});
		const credential = { baseUrl: `http://${await listen(server)}` };
		const { error, told } = await sandbox.run({ parameters: operations[name], credential });
		expect(error?.message).toMatch(dead);
		expect(told.includes('may still have been processed')).toBe(name !== 'validate');
	},
);

test.each(['create', 'update'] as const)('%s waits as long as the user says', async (name) => {
	const parameters = { ...operations[name], requestOptions: { timeout: 50 } };
	const never = async () => await new Promise<never>(() => undefined);
	const { told, sent } = await sandbox.runAt(never, { parameters });
	expect(told).toMatch(/^The service did not respond in time\b/);
	expect(sandbox.retries).toBe(3);
	// A create is sent once; the question for it again. On a busy machine, nothing may arrive.
	const posts = sent.filter(({ method }) => method === 'POST').length;
	expect(posts).toBeLessThanOrEqual(name === 'create' ? 1 : 4);
});

test('a credential that is restricted to other domains reaches its own base URL', async () => {
	const credential = { allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' };
	await sandbox.run({ credential });
	expect(sandbox.references).toEqual(['a']);
});

/** Each way in which the node calls the service. */
const ways = [...operationNames, 'paymentPagesPrivateKeyApi', 'paymentPagesApiKeyApi'] as const;

/** Why a call fails; '' if it does not. */
async function failureOf(way: (typeof ways)[number], credential: INodeParameters) {
	if (way !== 'paymentPagesPrivateKeyApi' && way !== 'paymentPagesApiKeyApi')
		return (await sandbox.run({ parameters: operations[way], credential })).told;
	const result = await testCredential(way, credentialsFor(sandbox.service, credential));
	return result.status === 'OK' ? '' : result.message;
}

let front: TlsFront;
let proxy: ForwardProxy;

beforeAll(async () => {
	front = await startTlsFront(sandbox.service.baseUrl);
	proxy = await startForwardProxy();
});

afterAll(async () => {
	for (const server of servers) server.close();
	await Promise.all([front.stop(), proxy.stop()]);
});

test.each(ways)('%s reaches a self-signed service if told so', async (way) => {
	const { baseUrl } = front;
	for (const change of [{}, { allowUnauthorizedCerts: 'true' }]) {
		expect(await failureOf(way, { baseUrl, ...change })).toMatch(
			/^The certificate of the service could not be verified\b.*turn on 'Ignore SSL Issues \(Insecure\)' in the credential/,
		);
	}
	expect(sandbox.retries).toBe(0);
	expect(sandbox.requests).toEqual([]);
	await sandbox.run();
	expect(await failureOf(way, { baseUrl, allowUnauthorizedCerts: true })).toBe('');
	expect(sandbox.requests.length).toBeGreaterThan(1);
});

test("the node's own option ignores SSL issues by itself", async () => {
	const parameters = { ...operations.create, requestOptions: { allowUnauthorizedCerts: true } };
	await sandbox.run({ parameters, credential: { baseUrl: front.baseUrl } });
	expect(sandbox.references).toEqual(['a']);
});

/** What can't be told from the service's own answer counts as that. */
describe("through n8n's proxy", () => {
	const schemes = ['https', 'http'] as const;
	type Scheme = (typeof schemes)[number];

	const reach = (scheme: Scheme): INodeParameters =>
		scheme === 'https' ? { baseUrl: front.baseUrl, allowUnauthorizedCerts: true } : {};

	const sendThrough = (url: string) =>
		void Object.assign(process.env, { http_proxy: url, https_proxy: url });

	beforeEach(() => {
		Object.assign(proxy, { behaviour: 'forward', requests: [], logins: [] });
		sendThrough(proxy.url);
	});

	afterEach(() => {
		for (const name of ['http_proxy', 'https_proxy']) Reflect.deleteProperty(process.env, name);
		proxy.cut();
	});

	const create = async (scheme: Scheme, requestOptions: INodeParameters = {}) => {
		const parameters = { ...operations.create, requestOptions };
		return await sandbox.run({ parameters, credential: reach(scheme) });
	};

	/** Each calls the service at once with the others. */
	const failuresOfAllWays = async (scheme: Scheme) =>
		await Promise.all(ways.map(async (way) => await failureOf(way, reach(scheme))));

	test.each(schemes)('all is sent over %s', async (scheme) => {
		await create(scheme);
		expect((await failuresOfAllWays(scheme)).join('')).toBe('');
		const first = scheme === 'https' ? /^CONNECT 127/ : /^(POST|GET) http:/;
		for (const line of proxy.requests) expect(line).toMatch(first);
		expect(proxy.requests.length).toBeGreaterThanOrEqual(ways.length);
	});

	const login = "n8n's proxy requires a user name and a password (HTTP 407)";

	test.each<[ProxyBehaviour | 'dead', string]>([
		[407, login],
		[403, 'The service does not allow this with this key (HTTP 403)'],
		[502, 'The service could not process the request (HTTP 502)'],
		['dead', 'Nothing accepts connections at the Base URL'],
	])('%j of the proxy has its words, for all, and none of its page', async (behaviour, message) => {
		if (behaviour === 'dead') sendThrough(`http://127.0.0.1:${await freePort()}`);
		else proxy.behaviour = behaviour;
		for (const scheme of schemes) {
			const failures = await failuresOfAllWays(scheme);
			// The test of the API key only asks whether an API answers at the address.
			for (const failure of failures.slice(0, -1)) expect(failure).toContain(message);
			expect(failures).not.toContain('');
			expect(failures.join()).not.toContain('The proxy says no');
			expect(sandbox.requests).toEqual([]);
		}
	});

	test('the proxy that is set in the node, with a wrong login', async () => {
		sendThrough('');
		proxy.behaviour = 407;
		const set = { proxy: proxy.url.replace('//', '//name:canary-password@') };
		const { error } = await create('http', set);
		expect(error?.message).toBe(login);
		expect(JSON.stringify(error)).not.toContain('canary-password');
		expect(proxy.logins).toEqual([`Basic ${btoa('name:canary-password')}`]);
	});

	/** What may have been done is never sent again; the node asks about it. */
	test.each<[Scheme, string, ...ProxyBehaviour[]]>([
		['https', 'C', 403, 407],
		['http', 'PGGGG', 502],
		['https', 'CCCCC', 500, 502, 503, 504, 'end', 'reset', 'openAndEnd', 'hang'],
	])('a create over %s is tried so: %s (%j)', async (scheme, methods, ...behaviours) => {
		for (const behaviour of behaviours) {
			Object.assign(proxy, { behaviour, requests: [] });
			// Only a proxy that hangs needs it; a busy machine might be too slow for the others.
			const { error } = await create(scheme, behaviour === 'hang' ? { timeout: 100 } : {});
			const tried = proxy.requests.map((line) => line.charAt(0)).join('');
			// On a busy machine, a try that is cut short arrives late or not at all: so it is the last.
			if (behaviour !== 'hang') expect([behaviour, tried]).toEqual([behaviour, methods]);
			const isUnclear = error?.message.includes('it could not be determined whether the page');
			expect([behaviour, isUnclear]).toEqual([behaviour, methods.length > 1]);
			expect(sandbox.requests).toEqual([]);
		}
	});

	test('a create whose tunnel breaks after it was sent is asked about', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'hang', milliseconds: 5000 });
		const running = create('https');
		await waitFor(() => sandbox.requests.length > 0, { what: 'the create' });
		proxy.cut();
		expect((await running).error?.message).toContain('the page "a" does not exist yet');
		expect(sandbox.methods).toBe('POST GET');
	});
});
