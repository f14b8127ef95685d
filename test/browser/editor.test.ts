import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox';
import { N8nClient } from '../../scripts/n8n/client';
import { saveSandboxCredentials } from '../../scripts/n8n/credentials';
import { startN8n } from '../../scripts/n8n/instance';
import { packPackage } from '../../scripts/pack';
import { manualTrigger, node } from '../e2e/support/workflow';
import { openBrowser, takeScreenshot } from './browser';
import { cleanUp } from './cleanUp';
import { Editor } from './editor';

// A machine that does other things at the same time takes its time over n8n's editor.
jest.setTimeout(120_000);

const owner = {
	email: 'owner@payment-pages.example',
	password: 'Sandbox-2-owner',
	firstName: 'Payment',
	lastName: 'Pages',
};

const trigger = 'n8n-nodes-payment-pages.paymentPageTrigger';

const workflow = {
	name: 'Payment pages in the editor',
	nodes: [
		manualTrigger(),
		node(
			'When paid',
			trigger,
			{},
			{ typeVersion: 2, position: [0, 300], webhookId: 'the-webhook' },
		),
	],
	connections: {},
};

let sandbox: Sandbox;
let client: N8nClient;
let editor: Editor;
let apiKeyId: string | undefined;
let workflowId: string;

async function startInstance(): Promise<string> {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'payment-pages-editor-'));
	cleanUp(() => rm(userFolder, { recursive: true, force: true }));
	const n8n = await startN8n({ userFolder, tarball: await packPackage() });
	cleanUp(() => n8n.stop());
	return n8n.url;
}

beforeAll(async () => {
	sandbox = await startSandbox();
	cleanUp(() => sandbox.stop());
	const url = await startInstance();
	client = new N8nClient(url);
	await client.signIn(owner);
	const credentials = await saveSandboxCredentials(client, sandbox);
	apiKeyId = credentials.find(({ type }) => type === 'paymentPagesApiKeyApi')?.id;
	const browser = await openBrowser();
	cleanUp(() => browser.close());
	const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
	editor = new Editor(page, url);
	await editor.signIn(owner);
}, 240_000);

beforeEach(async () => {
	workflowId = (await client.createWorkflow(workflow)).id;
	await editor.openWorkflow(workflowId);
});

afterEach(async () => {
	await editor.leave();
	await client.deleteWorkflow(workflowId);
});

it('offers the node to who searches for "payment link", with its icon and actions', async () => {
	await editor.searchAfter('Manual Trigger', 'payment link');
	const entry = editor.creatorEntry('Payment Page');
	const icon = entry.locator('img:visible');
	expect(await icon.getAttribute('src')).toContain('/paymentPage.svg');
	// decode() fails for a picture that is not there or can't be drawn.
	await icon.evaluate('(image) => image.decode()');
	await takeScreenshot(editor.page, 'creator-search');

	await entry.click();
	for (const action of ['Create a payment page', 'Update a payment page', 'Register a webhook']) {
		await editor.creatorEntry(action).waitFor();
	}
	await takeScreenshot(editor.page, 'creator-actions');
});

it('creates a page from the panel', async () => {
	await editor.addAction('Manual Trigger', 'Payment Page', 'Create a payment page');
	expect(await editor.credentialTitles()).toEqual(['Credential for Payment Pages Private Key API']);
	expect(await editor.parameterNames()).toEqual([
		'resource',
		'operation',
		'mappingMode',
		'pageName',
		'amount',
		'paymentPageLinkReference',
	]);
	await editor.panel.getByText('Optional Fields').waitFor();
	await takeScreenshot(editor.page, 'panel-create');

	await editor.fill('pageName', 'Été à la mer');
	await editor.fill('amount', '149.50');
	await editor.executeNode();
	await editor.output.getByText(`${sandbox.url}/pay/ete-a-la-mer`).waitFor();
	await takeScreenshot(editor.page, 'panel-created');
	expect([...sandbox.state.pages.values()]).toMatchObject([
		{ pageName: 'Été à la mer', amount: 149.5, paymentPageLinkReference: 'ete-a-la-mer' },
	]);
});

it('asks for the API key, and for nothing else, when a webhook is registered', async () => {
	await editor.addAction('Manual Trigger', 'Payment Page', 'Create a payment page');
	await editor.choose('resource', 'Webhook');
	await editor.parameter('webhookUrl').waitFor();
	expect(await editor.credentialTitles()).toEqual(['Credential for Payment Pages API Key API']);
	expect(await editor.parameterNames()).toEqual(['resource', 'operation', 'webhookUrl', 'secret']);
	await takeScreenshot(editor.page, 'panel-register');
	expect(await editor.offeredCredentials()).toEqual([apiKeyId, 'new']);
});

it('shows the one address that the trigger receives events at', async () => {
	await editor.openNode('When paid');
	await editor.panel.getByText('Webhook URLs').click();
	await editor.panel.getByText('/webhook-test/the-webhook/').waitFor();
	await takeScreenshot(editor.page, 'panel-trigger');
	// Probes with other methods are answered, but are nobody's business here.
	expect(await editor.panel.getByText(/^(GET|HEAD|POST)$/).allTextContents()).toEqual(['POST']);
	expect(await editor.parameterNames()).toEqual(['verification', 'unverifiedEvents']);
});
