import type { Sandbox } from '../../sandbox';
import { owner } from '../../scripts/localN8n/bed';
import { N8nClient } from '../../scripts/localN8n/client';
import type { N8nInstance } from '../../scripts/localN8n/instance';
import { cleanUp } from '../support/cleanUp';
import { registrations } from '../support/service';
import { type Bed, bedAt, startTimeout } from './support/bed';
import { type NpmRegistry, startNpmRegistry } from './support/npmRegistry';
import { packedTarball, startPreparedN8n } from './support/preparedFolder';
import { TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';

/**
 * The package as users get it: n8n downloads it from a registry. The tests tell one story, in which
 * the workflow is not touched: it stays published while the package is updated or installed again.
 */
let registry: NpmRegistry;
let sandbox: Sandbox;
let n8n: N8nInstance;
let client: N8nClient;
let bed: Bed;
let trigger: TriggerWorkflow;

jest.setTimeout(startTimeout);

beforeAll(async () => {
	registry = await startNpmRegistry();
	await registry.publish(packedTarball());
	n8n = await startPreparedN8n(registry.environment, registry.writeSettings);
	cleanUp(() => n8n.stop());
	client = new N8nClient(n8n.url);
	await client.signIn(owner);
});

const name = 'n8n-nodes-payment-pages';

/** What the screen for community nodes asks of n8n. */
function ask<Answer>(method: 'get' | 'post' | 'patch' | 'delete', body?: object, query?: object) {
	return client.request<Answer>(method, '/community-packages', body, { ...query });
}

/** The version that is there, and what n8n says about it. */
async function installed(): Promise<string> {
	type Package = { installedVersion: string; updateAvailable?: string };
	const describe = ({ installedVersion, updateAvailable }: Package) =>
		[installedVersion, updateAvailable].filter(Boolean).join(' < ');
	return (await ask<Package[]>('get')).map(describe).join();
}

async function createPage() {
	const create = paymentPage({ operation: 'create', pageName: 'Page', ...anyPage });
	return bed.run(workflow('Create', [manualTrigger(), create]));
}

/** Pays the page, and says how n8n answered the event. */
async function pay() {
	const [event] = (await sandbox.pay('page')).deliveries;
	if (!event) throw new Error('No webhook is registered.');
	return { id: event.id, ...event.tries.at(-1) };
}

/** Deliveries that n8n accepted, in the order in which they were sent. */
const accepted: string[] = [];

/** Everything that n8n has answered 200 has started one execution, and what was learned counts. */
async function expectAllKept(): Promise<void> {
	await trigger.outputs(accepted.length);
	expect(await trigger.count()).toBe(accepted.length);
	// A signature was seen once, so the token in the address proves nothing any more.
	expect((await sandbox.forge('unsigned', { keepToken: true })).tries.at(-1)?.status).toBe(401);
	expect(registrations(sandbox)).toHaveLength(1);
	expect(await client.publicationStatus(trigger.id)).toMatchObject({ status: 'published' });
}

async function acceptPayment(): Promise<void> {
	const { id, status } = await pay();
	expect(status).toBe(200);
	accepted.push(id);
	await expectAllKept();
}

/** Pays while the package is missing; once it is there again, the event is accepted. */
async function payWithout(comeBack: () => Promise<unknown>): Promise<void> {
	const { id, status, answer } = await pay();
	// An older n8n takes that for a failure of its own.
	expect([400, 500]).toContain(status);
	expect(answer).toContain('Unrecognized node type');
	expect(await trigger.count()).toBe(accepted.length);
	await comeBack();
	expect((await sandbox.resend(id)).tries.at(-1)?.status).toBe(200);
	accepted.push(id);
	await expectAllKept();
}

test('is installed, creates a page and starts a workflow when it is paid', async () => {
	await ask('post', { name });
	expect(await installed()).toMatch(/^\d+\.\d+\.\d+$/);
	// An event that was not accepted is sent again when a test says so.
	bed = await bedAt(n8n.url, { retry: { maximumTries: 1 } });
	({ sandbox } = bed);
	expect((await createPage()).status).toBe('success');
	trigger = await TriggerWorkflow.published(bed);
	await acceptPayment();
});

test('is updated under a published workflow, which goes on with all that it knows', async () => {
	await registry.publish(packedTarball(), '99.0.0');
	expect(await installed()).toMatch(/ < 99\.0\.0$/);
	await ask('patch', { name, version: '99.0.0' });
	expect(await installed()).toBe('99.0.0');
	await acceptPayment();
	expect((await createPage()).status).toBe('success');
});

test('is uninstalled and installed again: no event is accepted meanwhile, and none is lost', async () => {
	await ask('delete', undefined, { name });
	expect(await installed()).toBe('');
	await expect(createPage()).rejects.toThrow(/Unrecognized node type/);
	await payWithout(() => ask('post', { name }));
});
