import type { IDataObject } from 'n8n-workflow';
import { sandboxCredentials } from '../../scripts/localN8n/credentials';
import { failureOf } from '../../scripts/localN8n/execution';
import { cleanUp } from '../support/cleanUp';
import { type ForwardProxy, startForwardProxy } from '../support/forwardProxy';
import { registrations } from '../support/service';
import { startTlsFront } from '../support/tlsFront';
import { useTestBed } from './support/bed';
import { older, testUnless } from './support/needs';
import { withCredential } from './support/otherServices';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';

/** A whole n8n in other people's networks: certificates nobody vouches for, and a forward proxy. */
let proxy: ForwardProxy;

/** It reaches by address what the proxy is not asked for, and by name what it is. */
const environment: Record<string, string> = { NO_PROXY: '127.0.0.1' };

beforeAll(async () => {
	proxy = await startForwardProxy();
	cleanUp(() => proxy.stop());
	environment['HTTPS_PROXY'] = proxy.url;
});

const bed = useTestBed({ environment });

/** The service behind a certificate of its own. */
let baseUrl: string;

jest.setTimeout(120_000);

beforeAll(async () => {
	const front = await startTlsFront(bed().sandbox.baseUrl);
	cleanUp(() => front.stop());
	({ baseUrl } = front);
});

beforeEach(() => bed().sandbox.reset());

/** What the proxy was asked for, but for what n8n asks it for by itself. */
const tunnels = () => proxy.requests.filter((line) => line.includes('localhost'));

async function save(wanted: string, change: IDataObject = {}) {
	const right = sandboxCredentials(bed().sandbox).find(({ type }) => type === wanted);
	const content = { name: 'TLS', type: wanted, data: { ...right?.data, baseUrl, ...change } };
	return { ...content, ...(await bed().client.saveCredential(content)) };
}

const lenient = { allowUnauthorizedCerts: true };
const types = ['paymentPagesPrivateKeyApi', 'paymentPagesApiKeyApi'] as const;

async function createPage(change?: IDataObject) {
	const create = { operation: 'create', pageName: 'Page', ...anyPage };
	const node = paymentPage(create, withCredential(await save(types[0], change)));
	const { id } = await bed().client.createWorkflow(workflow('Create', [manualTrigger(), node]));
	return bed().client.run(id);
}

async function publish(change?: IDataObject) {
	const credential = withCredential(await save(types[1], change));
	return (await TriggerWorkflow.save(bed(), {}, credential)).publish();
}

test('calls a service with a certificate of its own only with Ignore SSL Issues', async () => {
	const { sandbox, client } = bed();
	expect(failureOf(await createPage())).toMatch(/certificate of the service could not be verified/);
	expect((await publish()).triggers[0]?.errorMessage).toMatch(/Ignore SSL Issues \(Insecure\)/);
	expect(sandbox.state.requests).toEqual([]);

	expect((await createPage(lenient)).status).toBe('success');
	expect(await publish(lenient)).toMatchObject({ status: 'published' });
	expect(registrations(sandbox)).toHaveLength(1);
	for (const type of types) {
		const credentials = await save(type, lenient);
		const tested = await client.request('post', '/credentials/test', { credentials });
		expect(tested).toMatchObject({ status: 'OK' });
	}
	expect(tunnels()).toEqual([]);
});

const createBehind = () =>
	createPage({ ...lenient, baseUrl: baseUrl.replace('127.0.0.1', 'localhost') });

testUnless(older, 'n8n does not ignore SSL issues of a service that it reaches through a proxy')(
	"goes through n8n's proxy when it does not reject",
	async () => {
		proxy.behaviour = 'forward';
		expect((await createBehind()).status).toBe('success');
		expect(bed().sandbox.state.pages.size).toBe(1);
		for (const tunnel of tunnels()) expect(tunnel).toMatch(/^CONNECT localhost:/);
		expect(tunnels().length).toBeGreaterThan(0);
		proxy.cut();
	},
);
