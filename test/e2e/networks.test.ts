import type { IDataObject } from 'n8n-workflow';
import { sandboxCredentials } from '../../scripts/localN8n/credentials';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { type ForwardProxy, startForwardProxy } from '../support/forwardProxy';
import { registrations } from '../support/service';
import { startTlsFront } from '../support/tlsFront';
import { startTimeout, useTestBed } from './support/bed';
import { cleanUp } from './support/cleanUp';
import { withCredential } from './support/otherServices';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';
import { older, testUnless } from './support/cannot';

/** A whole n8n in other people's networks: certificates nobody vouches for, and a forward proxy. */
const bed = useTestBed();
let baseUrl: string;
let proxy: ForwardProxy;

jest.setTimeout(120_000);

beforeAll(async () => {
	const front = await startTlsFront(bed().sandbox.baseUrl);
	cleanUp(() => front.stop());
	({ baseUrl } = front);
	proxy = await startForwardProxy();
	cleanUp(() => proxy.stop());
});

beforeEach(() => bed().sandbox.reset());

/** Stores a credential for the service behind its own certificate. */
async function save(type: string, change: IDataObject = {}): Promise<StoredCredential> {
	const right = sandboxCredentials(bed().sandbox).find((credential) => credential.type === type);
	const data = { ...right?.data, baseUrl, ...change };
	return bed().client.saveCredential({ name: `TLS ${type}`, type, data });
}

const lenient = { allowUnauthorizedCerts: true };

async function createPage(change?: IDataObject) {
	const credential = withCredential(await save('paymentPagesPrivateKeyApi', change));
	const create = { operation: 'create', pageName: 'Page', paymentPageLinkReference: 'page' };
	const node = paymentPage({ ...create, ...anyPage }, credential);
	const { id } = await bed().client.createWorkflow(workflow('Create', [manualTrigger(), node]));
	return bed().client.run(id);
}

async function publish(change?: IDataObject) {
	const credential = withCredential(await save('paymentPagesApiKeyApi', change));
	return (await TriggerWorkflow.save(bed(), {}, credential)).publish();
}

test('calls a service with a certificate of its own only with Ignore SSL Issues', async () => {
	const { sandbox, client } = bed();
	expect(failureOf(await createPage())).toMatch(/certificate of the service could not be verified/);
	expect((await publish()).triggers[0]?.errorMessage).toMatch(/Ignore SSL Issues \(Insecure\)/);
	expect(sandbox.state.requests).toEqual([]);

	expect(runJson(await createPage(lenient), 'Payment Page')).toMatchObject([{ pageName: 'Page' }]);
	expect(await publish(lenient)).toMatchObject({ status: 'published' });
	expect(registrations(sandbox)).toHaveLength(1);
	for (const { type, name, data } of sandboxCredentials(sandbox)) {
		const { id } = await save(type, lenient);
		const credentials = { id, name, type, data: { ...data, baseUrl, ...lenient } };
		const tested = await client.request('post', '/credentials/test', { credentials });
		expect(tested).toMatchObject({ status: 'OK' });
	}
});

describe("behind n8n's proxy", () => {
	beforeAll(async () => {
		await bed().n8n.restart({ HTTPS_PROXY: proxy.url });
	}, startTimeout);

	// Who wrote a page nobody can tell, but for 407, which no service answers.
	test.each<[status: number, words: RegExp]>([
		[407, /n8n's proxy requires/],
		[403, /does not allow this.*HTTP 403/],
		[502, /HTTP 502\); it could not be determined whether the page/],
	])('sends nothing when it rejects with %i, and shows no page of it', async (status, words) => {
		proxy.behaviour = status;
		const failure = failureOf(await createPage(lenient));
		expect(failure).toMatch(words);
		expect(failure).not.toContain('The proxy says no');
		expect(bed().sandbox.state.requests).toEqual([]);
	});

	const reason = 'n8n does not ignore SSL issues of a service that it reaches through a proxy';
	testUnless(older, reason)('goes through it when it does not reject', async () => {
		proxy.behaviour = 'forward';
		expect(runJson(await createPage(lenient), 'Payment Page')).toMatchObject([
			{ pageName: 'Page' },
		]);
		expect(bed().sandbox.state.pages.size).toBe(1);
		expect(proxy.requests.every((line) => line.startsWith('CONNECT '))).toBe(true);
		proxy.cut();
	});
});
