import { createServer, type AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { waitFor } from '../../scripts/shared/waitFor';
import { startForwardProxy, type ForwardProxy, type ProxyBehaviour } from '../forwardProxy';
import { startTlsFront, type TlsFront } from '../tlsFront';
import type { Outcome } from './harness';
import { automatic, credentialsFor, useSandbox, type CredentialChange } from './sandbox';
import { ways } from './ways';

/** n8n sends through a proxy. What can't be told from the service's own answer counts as that. */
const sandbox = useSandbox();
let proxy: ForwardProxy;
let front: TlsFront;

beforeAll(async () => {
	proxy = await startForwardProxy();
	front = await startTlsFront(sandbox.service.baseUrl);
});

beforeEach(() => {
	// The shortest waits before a retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	Object.assign(proxy, { behaviour: 'forward', requests: [], logins: [] });
	sendThrough(proxy.url);
});

afterEach(() => {
	sendThrough(undefined);
});

afterAll(async () => {
	await proxy.stop();
	await front.stop();
});

function sendThrough(url: string | undefined): void {
	for (const name of ['http_proxy', 'https_proxy']) {
		if (url === undefined) Reflect.deleteProperty(process.env, name);
		else process.env[name] = url;
	}
}

/** A port at which nobody listens. */
async function deadPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

type Scheme = 'https' | 'http';

function reach(scheme: Scheme): CredentialChange {
	return scheme === 'https'
		? { baseUrl: front.baseUrl, allowUnauthorizedCerts: true }
		: { baseUrl: sandbox.service.baseUrl };
}

const login = "n8n's proxy requires a user name and a password (HTTP 407)";

test.each(Object.entries(ways))('%s passes through', async (_name, way) => {
	for (const scheme of ['https', 'http'] as const) {
		proxy.requests = [];
		expect(await way(sandbox, reach(scheme))).toBeUndefined();
		expect(proxy.requests[0]).toMatch(scheme === 'https' ? /^CONNECT 127/ : /^(POST|GET) http:/);
		await sandbox.service.reset();
	}
});

/** Each goes wrong in one of the ways in which the package calls the service, all at once. */
async function failuresOfAllWays(scheme: Scheme): Promise<Record<string, string | undefined>> {
	const failures = Object.entries(ways).map(
		async ([name, way]) => [name, await way(sandbox, reach(scheme))] as const,
	);
	return Object.fromEntries(await Promise.all(failures));
}

function allWays(expected: unknown): Record<string, unknown> {
	return Object.fromEntries(Object.keys(ways).map((name) => [name, expected]));
}

/** But for the page that an update needs, which is made without the proxy. */
const nothingArrived = [expect.objectContaining({ url: '/api/PaymentPages/Add' }) as unknown];

test.each<[ProxyBehaviour, string]>([
	[407, login],
	[403, 'The service does not allow this with this key (HTTP 403)'],
	[502, 'The service could not process the request (HTTP 502)'],
])('%j of the proxy has its words, for all, and none of its page', async (behaviour, message) => {
	proxy.behaviour = behaviour;
	for (const scheme of ['https', 'http'] as const) {
		const failures = await failuresOfAllWays(scheme);
		const { 'test of the API key': testOfApiKey, ...others } = failures;
		const expected = Object.fromEntries(
			Object.keys(others).map((name) => [name, expect.stringContaining(message) as unknown]),
		);
		expect(others).toEqual(expected);
		// It only asks whether an API answers at the address.
		expect(testOfApiKey).not.toBe(undefined);
		expect(failures).toEqual(allWays(expect.not.stringContaining('The proxy says no')));
		expect(sandbox.requests).toEqual(nothingArrived);
		await sandbox.service.reset();
	}
});

test.each<Scheme>(['https', 'http'])('over %s, a proxy out of reach, for all', async (scheme) => {
	sendThrough(`http://127.0.0.1:${await deadPort()}`);
	const message =
		"Nothing accepts connections at the Base URL. Check its port, and that the service (and n8n's proxy, if it has one) is running.";
	expect(await failuresOfAllWays(scheme)).toEqual(allWays(expect.stringContaining(message)));
	expect(sandbox.requests).toEqual(nothingArrived);
});

test('the proxy that is set in the node, with a wrong login', async () => {
	sendThrough(undefined);
	proxy.behaviour = 407;
	const { error } = await sandbox.run({
		parameters: {
			...automatic('create'),
			requestOptions: { proxy: proxy.url.replace('//', '//name:canary-password@') },
		},
		rows: [{ pageName: 'A' }],
	});
	expect(error?.message).toBe(login);
	expect(JSON.stringify(error)).not.toContain('canary-password');
	expect(proxy.logins).toEqual([`Basic ${btoa('name:canary-password')}`]);
});

describe('a create', () => {
	const run = async (scheme: Scheme, requestOptions: INodeParameters = {}): Promise<Outcome> =>
		await sandbox.run({
			parameters: { ...automatic('create'), requestOptions },
			rows: [{ pageName: 'A' }],
			credentials: credentialsFor(sandbox.service, reach(scheme)),
		});

	/** What may have been done is never sent again; the node asks about it. */
	const methods = () => proxy.requests.map((line) => line.split(' ')[0]);

	/** No test is to see what another one left. */
	afterEach(() => {
		proxy.cut();
	});

	test.each<ProxyBehaviour>([403, 407])('whose tunnel is refused (%j) is over', async (status) => {
		proxy.behaviour = status;
		await run('https');
		expect(methods()).toEqual(['CONNECT']);
	});

	test.each<ProxyBehaviour>([500, 502, 503, 504, 'end', 'reset', 'hang', 'openAndEnd'])(
		'whose tunnel fails (%j) is not sent again, and asked about',
		async (behaviour) => {
			proxy.behaviour = behaviour;
			// Only a proxy that hangs needs it; a busy machine might be too slow for the others.
			const { error } = await run('https', behaviour === 'hang' ? { timeout: 100 } : {});
			expect(error?.message).toContain(
				'it could not be determined whether the page "a" was created',
			);
			expect(methods()).toEqual(Array(5).fill('CONNECT'));
			expect(sandbox.service.state.pages.size).toBe(0);
		},
	);

	test('that a page of plain HTTP refuses is asked about', async () => {
		proxy.behaviour = 502;
		const { error } = await run('http');
		expect(methods()).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
		expect(error?.message).toContain('it could not be determined whether the page "a" was created');
	});

	test('whose tunnel breaks after it was sent is asked about', async () => {
		sandbox.service.configure({
			faults: [{ endpoint: 'create', kind: 'hang', milliseconds: 5000 }],
		});
		const running = run('https');
		await waitFor(() => sandbox.requests.length > 0, { what: 'the create' });
		proxy.cut();
		const { error } = await running;
		expect(error?.message).toContain('the page "a" does not exist yet');
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
	});
});
