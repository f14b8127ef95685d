import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox';
import { N8nClient } from '../../scripts/localN8n/client';
import { type N8nInstance, startN8n } from '../../scripts/localN8n/instance';
import { waitFor } from '../../scripts/shared/waitFor';
import { openBrowser } from '../browser/support/browser';
import { cleanUp } from '../browser/support/cleanUp';
import { Editor } from '../browser/support/editor';
import { type NpmRegistry, startNpmRegistry } from './support/npmRegistry';
import { packVersion } from './support/packedVersion';
import { copyPreparedFolder, owner, packedTarball } from './support/preparedFolder';
import { type Bed, makeBed, startTimeout } from './support/testBed';
import { registrations, TriggerWorkflow } from './support/triggerWorkflow';
import { anyPage, manualTrigger, paymentPage, workflow } from './support/workflow';
import { needs } from './support/needs';

needs('chromium');

/**
 * The package as users get it: n8n downloads it from a registry. The tests tell one story, in which
 * the workflow is not touched: what was published stays so through updates and losses.
 */
let registry: NpmRegistry;
let sandbox: Sandbox;
let n8n: N8nInstance;
let client: N8nClient;
let bed: Bed;
let trigger: TriggerWorkflow;
let folder: string;

// n8n is started twice within a test.
jest.setTimeout(startTimeout);

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-install-'));
	cleanUp(() => rm(folder, { recursive: true }));
	registry = await startNpmRegistry();
	cleanUp(() => registry.stop());
	await registry.publish(packedTarball());
	// An event that was not accepted is sent again when a test says so.
	sandbox = await startSandbox({ retry: { maximumTries: 1 } });
	cleanUp(() => sandbox.stop());
	await copyPreparedFolder(folder);
	await registry.writeSettings(nodesFolder());
	n8n = await startN8n({ userFolder: folder, environment: registry.environment });
	cleanUp(() => n8n.stop());
	client = new N8nClient(n8n.url);
	await client.logIn(owner);
}, startTimeout);

/** Where n8n keeps packages and runs npm. */
function nodesFolder(): string {
	return path.join(folder, '.n8n', 'nodes');
}

const packageName = 'n8n-nodes-payment-pages';

interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	updateAvailable?: string;
	/** An older n8n says it only of a package that failed. */
	failedLoading?: boolean;
}

async function installed(): Promise<InstalledPackage[]> {
	const packages = await client.session.request<InstalledPackage[]>('get', '/community-packages');
	return packages.map((each) => ({ ...each, failedLoading: each.failedLoading ?? false }));
}

async function install(): Promise<void> {
	await client.session.request('post', '/community-packages', { name: packageName });
}

async function uninstall(): Promise<void> {
	await client.session.request('delete', '/community-packages', undefined, { name: packageName });
}

/**
 * What n8n itself answers to everything, with status 200, from when its database is connected until
 * it is migrated. Such an event is lost (fact 49).
 */
const startingUp = 'n8n is starting up. Please wait';

/** Starts n8n again, without the editor, while customers go on paying. */
async function restart(environment: Record<string, string> = {}): Promise<void> {
	let isReady = false;
	const restarted = n8n.restart({ N8N_DISABLE_UI: 'true', ...environment }).finally(() => {
		isReady = true;
	});
	const paying = waitFor(
		async () => {
			const { id, status, answer } = await pay();
			if (status === 200 && answer !== startingUp) accepted.push(id);
			return isReady;
		},
		{ what: 'n8n to start', timeoutMilliseconds: startTimeout, intervalMilliseconds: 200 },
	);
	await Promise.all([restarted, paying]);
	await client.logIn(owner);
}

async function createPage() {
	return bed.run(
		workflow('Create', [
			manualTrigger(),
			paymentPage({
				operation: 'create',
				...anyPage,
				pageName: 'Page',
				paymentPageLinkReference: 'page',
			}),
		]),
	);
}

/** Pays the page, and says how n8n answered the event. */
async function pay() {
	const [event] = (await sandbox.pay('page')).deliveries;
	if (!event) throw new Error('No webhook is registered.');
	const { status, answer } = event.tries.at(-1) ?? {};
	return { id: event.id, status, answer };
}

async function sendAgain(deliveryId: string) {
	const { status, answer } = (await sandbox.resend(deliveryId)).tries.at(-1) ?? {};
	return { status, answer };
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

/** How n8n answers an event without the package: an older one takes that for a failure of its own. */
function expectUnknownNode({ status, answer }: { status?: number | null; answer?: string }): void {
	expect([400, 500]).toContain(status);
	expect(answer).toContain('Unrecognized node type');
}

async function acceptPayment(): Promise<void> {
	const { id, status } = await pay();
	expect(status).toBe(200);
	accepted.push(id);
}

test('is installed on the screen, creates a page and starts a workflow when it is paid', async () => {
	const browser = await openBrowser();
	try {
		const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
		// The screen asks a server elsewhere how many packages there are.
		await page.route(
			({ hostname }) => hostname !== '127.0.0.1',
			(route) => route.abort(),
		);
		await new Editor(page, n8n.url).signIn(owner);
		await page.goto(`${n8n.url}/settings/community-nodes`);
		await page.getByRole('button', { name: 'Install a community node' }).click();
		await page.locator('input[name="packageNameInput"]').fill(packageName);
		await page.getByTestId('user-agreement-checkbox').click();
		await page.getByTestId('install-community-package-button').click();
		await page.getByTestId('community-package-card').getByText(packageName).waitFor();
		await page.getByTestId('install-community-package-button').waitFor({ state: 'hidden' });
	} finally {
		await browser.close();
	}
	expect(await installed()).toMatchObject([{ packageName, failedLoading: false }]);

	bed = await makeBed(client, sandbox);
	expect((await createPage()).status).toBe('success');
	trigger = await TriggerWorkflow.published(bed);
	await acceptPayment();
	await expectAllKept();
});

test('is updated under a published workflow, which goes on with all that it knows', async () => {
	await registry.publish(await packVersion(packedTarball(), '99.0.0', folder));
	expect(await installed()).toMatchObject([{ updateAvailable: '99.0.0' }]);
	const update = { name: packageName, version: '99.0.0' };
	await client.session.request('patch', '/community-packages', update);
	expect(await installed()).toMatchObject([{ installedVersion: '99.0.0', failedLoading: false }]);
	await acceptPayment();
	await expectAllKept();
	expect((await createPage()).status).toBe('success');
});

test('is uninstalled and installed again: no event is accepted meanwhile, and none is lost', async () => {
	await uninstall();
	expect(await installed()).toEqual([]);
	const { id, ...refused } = await pay();
	expectUnknownNode(refused);
	await expect(createPage()).rejects.toThrow(/Unrecognized node type/);
	expect(await trigger.count()).toBe(accepted.length);

	await install();
	expect((await sendAgain(id)).status).toBe(200);
	accepted.push(id);
	await expectAllKept();
});

test('is missing when n8n starts, as after a rebuilt container, and comes back', async () => {
	await n8n.stop();
	await rm(nodesFolder(), { recursive: true });
	await registry.writeSettings(nodesFolder());
	await restart();
	expect(await installed()).toMatchObject([{ packageName, failedLoading: true }]);
	const { id, ...refused } = await pay();
	expectUnknownNode(refused);
	expect(await trigger.count()).toBe(accepted.length);

	await restart({ N8N_REINSTALL_MISSING_PACKAGES: 'true' });
	expect(await installed()).toMatchObject([{ installedVersion: '99.0.0', failedLoading: false }]);
	expect((await sendAgain(id)).status).toBe(200);
	accepted.push(id);
	await expectAllKept();
});

test('is uninstalled after unpublishing: n8n answers 404', async () => {
	await trigger.unpublish();
	await uninstall();
	expect((await pay()).status).toBe(404);
	expect(await trigger.count()).toBe(accepted.length);
});
