import type { IDataObject } from 'n8n-workflow';
import { sandboxCredentials } from '../../scripts/localN8n/credentials';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import { type ForwardProxy, startForwardProxy } from '../support/forwardProxy';
import { registrations } from '../support/service';
import { startTlsFront } from '../support/tlsFront';
import { useTestBed } from './support/bed';
import { cleanUp } from './support/cleanUp';
import { older, testUnless } from './support/needs';
import { withCredential } from './support/otherServices';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';

/** A whole n8n in other people's networks: certificates nobody vouches for, and a forward proxy. */
let proxy: ForwardProxy;

/** It reaches by address what the proxy is not asked for, and by name what it is. */
const bed = useTestBed({
	async environment() {
		proxy = await startForwardProxy();
		cleanUp(() => proxy.stop());
		return { HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1' };
	},
});
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
	return { content, stored: await bed().client.saveCredential(content) };
}

const lenient = { allowUnauthorizedCerts: true };
const types = ['paymentPagesPrivateKeyApi', 'paymentPagesApiKeyApi'] as const;

async function createPage(change?: IDataObject) {
	const { stored } = await save(types[0], change);
	const create = { operation: 'create', pageName: 'Page', paymentPageLinkReference: 'page' };
	const node = paymentPage({ ...create, ...anyPage }, withCredential(stored));
	const { id } = await bed().client.createWorkflow(workflow('Create', [manualTrigger(), node]));
	return bed().client.run(id);
}

async function publish(change?: IDataObject) {
	const { stored } = await save(types[1], change);
	return (await TriggerWorkflow.save(bed(), {}, withCredential(stored))).publish();
}

test('calls a service with a certificate of its own only with Ignore SSL Issues', async () => {
	const { sandbox, client } = bed();
	expect(failureOf(await createPage())).toMatch(/certificate of the service could not be verified/);
	expect((await publish()).triggers[0]?.errorMessage).toMatch(/Ignore SSL Issues \(Insecure\)/);
	expect(sandbox.state.requests).toEqual([]);

	expect(runJson(await createPage(lenient), 'Payment Page')).toMatchObject([{ pageName: 'Page' }]);
	expect(await publish(lenient)).toMatchObject({ status: 'published' });
	expect(registrations(sandbox)).toHaveLength(1);
	for (const type of types) {
		const { content, stored } = await save(type, lenient);
		const credentials = { id: stored.id, ...content };
		const tested = await client.request('post', '/credentials/test', { credentials });
		expect(tested).toMatchObject({ status: 'OK' });
	}
	expect(tunnels()).toEqual([]);
});

describe("behind n8n's proxy", () => {
	const createBehind = () => {
		const named = baseUrl.replace('127.0.0.1', 'localhost');
		return createPage({ ...lenient, baseUrl: named });
	};

	test('sends nothing when it rejects, and shows no page of it', async () => {
		proxy.behaviour = 403;
		const failure = failureOf(await createBehind());
		expect(failure).toMatch(/does not allow this.*HTTP 403/);
		expect(failure).not.toContain('The proxy says no');
		expect(bed().sandbox.state.requests).toEqual([]);
	});

	const reason = 'n8n does not ignore SSL issues of a service that it reaches through a proxy';
	testUnless(older, reason)('goes through it when it does not reject', async () => {
		proxy.behaviour = 'forward';
		expect(runJson(await createBehind(), 'Payment Page')).toMatchObject([{ pageName: 'Page' }]);
		expect(bed().sandbox.state.pages.size).toBe(1);
		const [tunnel, ...others] = new Set(tunnels());
		expect(tunnel).toMatch(/^CONNECT localhost:/);
		expect(others).toEqual([]);
		proxy.cut();
	});
});
