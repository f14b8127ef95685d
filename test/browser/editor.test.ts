import { owner } from '../e2e/support/preparedFolder';
import { startTimeout, useTestBed } from '../e2e/support/testBed';
import { manualTrigger, node } from '../e2e/support/workflow';
import { openBrowser, takeScreenshot } from './browser';
import { cleanUp } from './cleanUp';
import { Editor } from './editor';

// A machine that does other things at the same time takes its time over n8n's editor.
jest.setTimeout(120_000);

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

const bed = useTestBed({ environment: { N8N_DISABLE_UI: 'false' } });

let editor: Editor;
let workflowId: string;

beforeAll(async () => {
	const browser = await openBrowser();
	cleanUp(() => browser.close());
	const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
	editor = new Editor(page, bed().n8n.url);
	await editor.signIn(owner);
}, startTimeout);

beforeEach(async () => {
	workflowId = (await bed().client.createWorkflow(workflow)).id;
	await editor.openWorkflow(workflowId);
});

afterEach(async () => {
	await editor.leave();
	await bed().client.deleteWorkflow(workflowId);
});

test('offers the node to who searches for "payment link", with its icon and actions', async () => {
	await editor.searchAfter('Manual Trigger', 'payment link');
	const entry = editor.creatorEntry('Payment Page');
	const icon = entry.locator('img:visible');
	expect(await icon.getAttribute('src')).toContain('/paymentPage.svg');
	// decode() fails for a picture that is not there or can't be drawn.
	await icon.evaluate('(image) => image.decode()');
	await takeScreenshot(editor.page, 'creator-search');

	await entry.click();
	for (const action of ['Create payment page', 'Update payment page', 'Register webhook']) {
		await editor.creatorEntry(action).waitFor();
	}
	await takeScreenshot(editor.page, 'creator-actions');
});

test('creates a page from the panel', async () => {
	await editor.addAction('Manual Trigger', 'Payment Page', 'Create payment page');
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
	const { sandbox } = bed();
	await editor.output.getByText(`${sandbox.url}/pay/ete-a-la-mer`).waitFor();
	await takeScreenshot(editor.page, 'panel-created');
	expect([...sandbox.state.pages.values()]).toMatchObject([
		{ pageName: 'Été à la mer', amount: 149.5, paymentPageLinkReference: 'ete-a-la-mer' },
	]);
});

test('asks for the API key, and for nothing else, when a webhook is registered', async () => {
	await editor.addAction('Manual Trigger', 'Payment Page', 'Create payment page');
	await editor.choose('resource', 'Webhook');
	await editor.parameter('webhookUrl').waitFor();
	expect(await editor.credentialTitles()).toEqual(['Credential for Payment Pages API Key API']);
	expect(await editor.parameterNames()).toEqual(['resource', 'operation', 'webhookUrl', 'secret']);
	await takeScreenshot(editor.page, 'panel-register');
	const apiKey = bed().credentials.find(({ type }) => type === 'paymentPagesApiKeyApi');
	expect(await editor.offeredCredentials()).toEqual([apiKey?.id, 'new']);
});

test('shows the one address that the trigger receives events at', async () => {
	await editor.openNode('When paid');
	await editor.panel.getByText('Webhook URLs').click();
	await editor.panel.getByText('/webhook-test/the-webhook/').waitFor();
	await takeScreenshot(editor.page, 'panel-trigger');
	// Probes with other methods are answered, but are nobody's business here.
	expect(await editor.panel.getByText(/^(GET|HEAD|POST)$/).allTextContents()).toEqual(['POST']);
	expect(await editor.parameterNames()).toEqual(['verification', 'unverifiedEvents']);
});
