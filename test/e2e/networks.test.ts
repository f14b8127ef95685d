import type { IDataObject } from 'n8n-workflow';
import { sandboxCredentials } from '../../scripts/localN8n/credentials';
import { type Execution, failureOf, runJson } from '../../scripts/localN8n/execution';
import type { StoredCredential } from '../../scripts/localN8n/types';
import { type ForwardProxy, startForwardProxy } from '../forwardProxy';
import { startTlsFront, type TlsFront } from '../tlsFront';
import { withCredential } from './support/otherServices';
import { startTimeout, useTestBed } from './support/testBed';
import { registrations, TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';

/** A whole n8n in other people's networks: certificates nobody vouches for, and a forward proxy. */
const bed = useTestBed();
let front: TlsFront;
let proxy: ForwardProxy;

jest.setTimeout(120_000);

beforeAll(async () => {
	front = await startTlsFront(bed().sandbox.baseUrl);
	proxy = await startForwardProxy();
});

afterAll(async () => {
	await front.stop();
	await proxy.stop();
});

beforeEach(() => bed().sandbox.reset());

/** Stores both credentials for the service behind its own certificate. */
async function saveCredentials(change: IDataObject = {}): Promise<StoredCredential[]> {
	const stored: StoredCredential[] = [];
	for (const { name, type, data } of sandboxCredentials(bed().sandbox)) {
		const changed = { ...data, baseUrl: front.baseUrl, ...change };
		stored.push(await bed().client.saveCredential({ name: `TLS ${name}`, type, data: changed }));
	}
	return stored;
}

function credentialOf(stored: StoredCredential[], type: string): StoredCredential {
	const found = stored.find((credential) => credential.type === type);
	if (!found) throw new Error(`There is no ${type}.`);
	return found;
}

async function createPage(stored: StoredCredential[]): Promise<Execution> {
	const parameters = {
		operation: 'create',
		...anyPage,
		pageName: 'Page',
		paymentPageLinkReference: 'page',
	};
	const credential = withCredential(credentialOf(stored, 'paymentPagesPrivateKeyApi'));
	const node = paymentPage(parameters, credential);
	const { id } = await bed().client.createWorkflow(workflow('Create', [manualTrigger(), node]));
	return bed().client.run(id);
}

function triggerFor(stored: StoredCredential[]): Promise<TriggerWorkflow> {
	const credential = credentialOf(stored, 'paymentPagesApiKeyApi');
	return TriggerWorkflow.save(bed(), {}, withCredential(credential));
}

test('calls a service with a certificate of its own only with Ignore SSL Issues', async () => {
	const { sandbox, client } = bed();
	const strict = await saveCredentials();
	const refused = await createPage(strict);
	expect(failureOf(refused)).toMatch(/certificate of the service could not be verified/);
	const failed = await (await triggerFor(strict)).publish();
	expect(failed.triggers[0]?.errorMessage).toMatch(/Ignore SSL Issues \(Insecure\)/);
	expect(sandbox.state.requests).toEqual([]);

	const lenient = await saveCredentials({ allowUnauthorizedCerts: true });
	expect(runJson(await createPage(lenient), 'Payment Page')).toMatchObject([{ pageName: 'Page' }]);
	const published = await triggerFor(lenient);
	expect(await published.publish()).toMatchObject({ status: 'published' });
	expect(registrations(sandbox)).toHaveLength(1);
	for (const { id, type, name } of lenient) {
		const data = {
			...sandboxCredentials(sandbox).find((credential) => credential.type === type)?.data,
			baseUrl: front.baseUrl,
			allowUnauthorizedCerts: true,
		};
		expect(await client.testCredential(id, { name, type, data })).toMatchObject({ status: 'OK' });
	}
	await published.unpublish();
});

describe("behind n8n's proxy", () => {
	let stored: StoredCredential[];

	beforeAll(async () => {
		stored = await saveCredentials({ allowUnauthorizedCerts: true });
		await bed().n8n.restart({ HTTPS_PROXY: proxy.url });
	}, startTimeout);

	// Who wrote a page nobody can tell, but for 407, which no service answers.
	test.each<[status: number, words: RegExp]>([
		[407, /n8n's proxy requires/],
		[403, /does not allow this.*HTTP 403/],
		[502, /HTTP 502\); it could not be determined whether the page/],
	])(
		'sends nothing when the proxy refuses with %i, and shows no page of it',
		async (status, words) => {
			proxy.behaviour = status;
			const refused = failureOf(await createPage(stored));
			expect(refused).toMatch(words);
			expect(refused).not.toContain('The proxy says no');
			expect(bed().sandbox.state.requests).toEqual([]);
		},
	);

	test('goes through it when it does not refuse', async () => {
		proxy.behaviour = 'forward';
		expect(runJson(await createPage(stored), 'Payment Page')).toMatchObject([{ pageName: 'Page' }]);
		expect(bed().sandbox.state.pages.size).toBe(1);
		expect(proxy.requests.every((line) => line.startsWith('CONNECT '))).toBe(true);
		proxy.cut();
	});
});
