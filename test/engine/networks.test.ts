import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { waitFor } from '../../scripts/shared/waitFor';
import { selfSignedCertificate } from '../certificate';
import { startForwardProxy, type ForwardProxy, type ProxyBehaviour } from '../forwardProxy';
import { useQuickWaits } from '../support/quickWaits';
import { startTlsFront, type TlsFront } from '../tlsFront';
import { testCredential } from './harness/credentialTest';
import { retriesLogged } from './harness/retriesLogged';
import {
	anyRow,
	credentialsFor,
	operations,
	told,
	useSandbox,
	type CredentialChange,
} from './sandbox';

/**
 * What goes wrong on the way to the service. Each error is built for real: what n8n makes of it on the
 * way decides what the node can tell.
 */
useQuickWaits();
const sandbox = useSandbox();
const servers: Server[] = [];

afterAll(() => {
	for (const server of servers) server.close();
});

async function listen(server: Server): Promise<string> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function deadAddress(): Promise<string> {
	const server = createServer();
	const address = await listen(server);
	await new Promise((resolve) => server.close(resolve));
	return address;
}

/** As a TLS record: alert, version 1.2, two bytes; it is fatal. */
const alert = (reason: number) => Buffer.from([21, 3, 3, 0, 2, 2, reason]);
const answering = (bytes: string | Buffer) =>
	createServer((socket) => socket.once('data', () => socket.end(bytes)));
const halfAnswer = () =>
	createHttpServer((_request, response) => {
		response.writeHead(200, { 'content-length': 100, 'content-type': 'application/json' });
		response.write('{"responseCode":"00"', () => response.destroy());
	});

const dead = /^Nothing accepts connections at the Base URL$/;
const noTls = /^The secure connection to the service \(TLS\) failed$/;
const broken = /^The connection to the service was lost before the response was complete$/;

const unknown = /^The host in the Base URL (does not exist|cannot be looked up at the moment)$/;

/** Where nothing was sent: there is no doubt. */
const notSent: Record<string, [url: () => Promise<string>, message: RegExp]> = {
	'nobody listens': [async () => `http://${await deadAddress()}`, dead],
	'nobody listens at any address of a name': [
		async () => `http://${(await deadAddress()).replace('127.0.0.1', 'localhost')}`,
		dead,
	],
	'an unknown host': [async () => 'http://no-such-host.invalid/api', unknown],
	'no way': [async () => 'http://255.255.255.255/api', /^The service cannot be reached$/],
};

/** Where the request may have been processed, as far as anybody can tell. */
const lost: typeof notSent = {
	'https where http is spoken': [async () => sandbox.service.baseUrl.replace(':', 's:'), noTls],
	'a rejected handshake': [async () => `https://${await listen(answering(alert(40)))}`, noTls],
	'another TLS': [async () => `https://${await listen(answering(alert(70)))}`, noTls],
	'no HTTP': [async () => `http://${await listen(answering('220 mail ready\r\n'))}`, broken],
	'half an answer': [async () => `http://${await listen(halfAnswer())}`, broken],
};

test.each(Object.entries({ ...notSent, ...lost }))(
	'%s is tried again',
	async (name, [url, message]) => {
		const credential = { baseUrl: await url() };
		const parameters = operations.update;
		const outcome = await sandbox.run({ rows: [anyRow], parameters, credential });
		expect(outcome.error?.message).toMatch(message);
		expect(retriesLogged()).toBe(3);
		expect(told(outcome).includes('may still have been processed')).toBe(name in lost);
		expect(told(outcome).includes('In Docker, this address is the container')).toBe(
			message === dead,
		);
	},
);

test.each(['update', 'validate', 'register'] as const)(
	'%s tells of an earlier try that may have been processed',
	async (name) => {
		let answered = (): void => undefined;
		const server = createHttpServer((_request, response) => {
			response.writeHead(502, { connection: 'close' }).end(() => answered());
		});
		const baseUrl = `http://${await listen(server)}`;
		answered = () => void server.close();
		const parameters = operations[name];
		const outcome = await sandbox.run({ rows: [anyRow], parameters, credential: { baseUrl } });
		expect(outcome.error?.message).toMatch(dead);
		expect(told(outcome).includes('may still have been processed')).toBe(name !== 'validate');
	},
);

test.each(['create', 'update', 'validate', 'register'] as const)(
	'%s waits as long as the user says',
	async (name) => {
		const parameters = { ...operations[name], requestOptions: { timeout: 50 } };
		const never = async () => await new Promise<never>(() => undefined);
		const outcome = await sandbox.runAt(never, { rows: [anyRow], parameters });
		expect(told(outcome)).toMatch(/^The service did not respond in time\b/);
		expect(retriesLogged()).toBe(3);
		// A create is sent once; the question for it again. On a busy machine, nothing may arrive.
		const posts = outcome.sent.filter(({ method }) => method === 'POST').length;
		expect(posts).toBeLessThanOrEqual(name === 'create' ? 1 : 4);
	},
);

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('%s that breaks after the request', (maxVersion) => {
	test.each([
		['a record that cannot be decrypted', Buffer.from([23, 3, 3, 0, 64, ...Array(64).keys()])],
		['plain text', Buffer.from('HTTP/1.1 502 Bad Gateway\r\n\r\n')],
	])('%s', async (_name, bytes) => {
		const sockets: Socket[] = [];
		const methods: string[] = [];
		const options = { ...(await selfSignedCertificate('localhost')), maxVersion };
		const service = await listen(
			createHttpsServer(options, ({ method = '' }) => {
				methods.push(method);
				for (const socket of sockets.splice(0)) socket.write(bytes);
			}),
		);
		// Something between n8n and the service that writes what is not TLS.
		const between = createServer((socket) => {
			sockets.push(socket);
			const onward = connect(Number(service.split(':')[1]), '127.0.0.1');
			socket.pipe(onward).pipe(socket);
			for (const end of [socket, onward]) end.on('error', () => undefined);
		});
		const { error } = await sandbox.run({
			rows: [anyRow],
			parameters: {
				...operations.create,
				// As if nobody looked at the certificate, so that the request is sent.
				requestOptions: { allowUnauthorizedCerts: true, timeout: 5000 },
			},
			credential: { baseUrl: `https://${await listen(between)}` },
		});
		expect(error?.message).toMatch(/^The secure connection .*; it could not be determined/);
		// Its bytes may meet the next connection before that has sent its question.
		expect(methods.join(' ')).toMatch(/^POST( GET){0,4}$/);
	});
});

test('a credential that is restricted to other domains reaches its own base URL', async () => {
	const credential = { allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' };
	const parameters = operations.create;
	await sandbox.run({ rows: [anyRow], parameters, credential });
	expect(sandbox.references).toEqual(['a']);
});

/** Each way in which the node calls the service. */
const ways = [
	...(Object.keys(operations) as Array<keyof typeof operations>),
	...(['paymentPagesPrivateKeyApi', 'paymentPagesApiKeyApi'] as const),
];

/** Why a call fails; undefined if it does not. */
async function failureOf(way: (typeof ways)[number], credential: CredentialChange) {
	if (way === 'paymentPagesPrivateKeyApi' || way === 'paymentPagesApiKeyApi') {
		const { [way]: data = {} } = credentialsFor(sandbox.service, credential);
		const { status, message } = await testCredential(way, data as never);
		return status === 'OK' ? undefined : message;
	}
	const parameters = operations[way];
	const outcome = await sandbox.run({ rows: [anyRow], parameters, credential });
	return outcome.error && told(outcome);
}

let front: TlsFront;
let proxy: ForwardProxy;

beforeAll(async () => {
	front = await startTlsFront(sandbox.service.baseUrl);
	proxy = await startForwardProxy();
});

afterAll(async () => {
	await front.stop();
	await proxy.stop();
});

test.each(ways)('%s reaches a self-signed service if told so', async (way) => {
	const { baseUrl } = front;
	for (const change of [{}, { allowUnauthorizedCerts: 'true' }]) {
		const failure = await failureOf(way, { baseUrl, ...change });
		expect(failure).toMatch(
			/^The certificate of the service could not be verified\b.*turn on 'Ignore SSL Issues \(Insecure\)' in the credential/,
		);
	}
	expect(retriesLogged()).toBe(0);
	expect(sandbox.requests).toEqual([]);
	await sandbox.run({ rows: [anyRow], parameters: operations.create });
	expect(await failureOf(way, { baseUrl, allowUnauthorizedCerts: true })).toBeUndefined();
	expect(sandbox.requests.length).toBeGreaterThan(1);
});

test("the node's own option ignores SSL issues by itself", async () => {
	const { error } = await sandbox.run({
		parameters: { ...operations.validate, requestOptions: { allowUnauthorizedCerts: true } },
		credential: { baseUrl: front.baseUrl },
	});
	expect(error).toBeUndefined();
});

/** What can't be told from the service's own answer counts as that. */
describe("through n8n's proxy", () => {
	const schemes = ['https', 'http'] as const;
	type Scheme = (typeof schemes)[number];

	const reach = (scheme: Scheme): CredentialChange =>
		scheme === 'https'
			? { baseUrl: front.baseUrl, allowUnauthorizedCerts: true }
			: { baseUrl: sandbox.service.baseUrl };

	function sendThrough(url: string | undefined): void {
		for (const name of ['http_proxy', 'https_proxy']) {
			if (url === undefined) Reflect.deleteProperty(process.env, name);
			else process.env[name] = url;
		}
	}

	beforeEach(() => {
		Object.assign(proxy, { behaviour: 'forward', requests: [], logins: [] });
		sendThrough(proxy.url);
	});

	afterEach(() => {
		sendThrough(undefined);
		proxy.cut();
	});

	/** Each calls the service at once with the others. */
	async function failuresOfAllWays(scheme: Scheme): Promise<Array<string | undefined>> {
		return await Promise.all(ways.map((way) => failureOf(way, reach(scheme))));
	}

	test.each(schemes)('all is sent over %s', async (scheme) => {
		await sandbox.run({ rows: [anyRow], parameters: operations.create, credential: reach(scheme) });
		expect(await failuresOfAllWays(scheme)).toEqual(ways.map(() => undefined));
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
		if (behaviour === 'dead') sendThrough(`http://${await deadAddress()}`);
		else proxy.behaviour = behaviour;
		for (const scheme of schemes) {
			const failures = await failuresOfAllWays(scheme);
			// The test of the API key only asks whether an API answers at the address.
			for (const failure of failures.slice(0, -1)) expect(failure).toContain(message);
			for (const failure of failures) expect(failure).not.toBe(undefined);
			expect(failures.join()).not.toContain('The proxy says no');
			expect(sandbox.requests).toEqual([]);
		}
	});

	test('the proxy that is set in the node, with a wrong login', async () => {
		sendThrough(undefined);
		proxy.behaviour = 407;
		const set = { proxy: proxy.url.replace('//', '//name:canary-password@') };
		const parameters = { ...operations.create, requestOptions: set };
		const { error } = await sandbox.run({ rows: [anyRow], parameters });
		expect(error?.message).toBe(login);
		expect(JSON.stringify(error)).not.toContain('canary-password');
		expect(proxy.logins).toEqual([`Basic ${btoa('name:canary-password')}`]);
	});

	/** What may have been done is never sent again; the node asks about it. */
	test.each<[Scheme, string, ProxyBehaviour]>([
		...([403, 407] as const).map((status) => ['https', 'C', status] as [Scheme, string, number]),
		...([500, 502, 503, 504, 'end', 'reset', 'hang', 'openAndEnd'] as const).map(
			(behaviour) => ['https', 'CCCCC', behaviour] as [Scheme, string, ProxyBehaviour],
		),
		['http', 'PGGGG', 502],
	])('a create over %s is tried so: %s, at a proxy of %j', async (scheme, methods, behaviour) => {
		proxy.behaviour = behaviour;
		// Only a proxy that hangs needs it; a busy machine might be too slow for the others.
		const requestOptions = behaviour === 'hang' ? { timeout: 100 } : {};
		const { error } = await sandbox.run({
			rows: [anyRow],
			parameters: { ...operations.create, requestOptions },
			credential: reach(scheme),
		});
		const tried = proxy.requests.map((line) => line.charAt(0)).join('');
		// On a busy machine, not each of the tries that are cut short arrives.
		if (behaviour !== 'hang') expect(tried).toBe(methods);
		expect(error?.message.includes('it could not be determined whether the page "a"')).toBe(
			methods.length > 1,
		);
		expect(sandbox.requests).toEqual([]);
	});

	test('a create whose tunnel breaks after it was sent is asked about', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'hang', milliseconds: 5000 });
		const running = sandbox.run({
			rows: [anyRow],
			parameters: operations.create,
			credential: reach('https'),
		});
		await waitFor(() => sandbox.requests.length > 0, { what: 'the create' });
		proxy.cut();
		expect((await running).error?.message).toContain('the page "a" does not exist yet');
		expect(sandbox.methods).toEqual(['POST', 'GET']);
	});
});
