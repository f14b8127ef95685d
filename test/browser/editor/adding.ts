import { triggerNode } from '../../e2e/support/triggerWorkflow';
import { manualTrigger, workflow } from '../../e2e/support/workflow';
import { takePicture } from '../support/pictures';
import type { Stage } from '../support/stage';

/** From the search for a node to its first run. */
export function testAdding(stage: () => Stage): void {
	const empty = () => workflow('Payment pages in the editor', [manualTrigger()]);

	test('offers the node to who searches for "payment link", with its icon and actions', async () => {
		const { editor, open } = stage();
		await open(empty());
		await editor.searchAfter('Manual Trigger', 'payment link');
		const entry = editor.creatorEntry('Payment Page');
		const icon = entry.locator('img:visible');
		expect(await icon.getAttribute('src')).toContain('/paymentPage.svg');
		// decode() fails for a picture that is not there or can't be drawn.
		await icon.evaluate('(image) => image.decode()');
		await takePicture(editor.page, 'node-search', { parts: [editor.searchBar, entry], space: 24 });

		await entry.click();
		for (const action of ['Create payment page', 'Update payment page', 'Register webhook']) {
			await editor.creatorEntry(action).waitFor();
		}
	});

	test('creates a page from the panel', async () => {
		const { details, editor, open, sandbox } = stage();
		await open(empty());
		await editor.addAction('Manual Trigger', 'Payment Page', 'Create payment page');
		expect(await details.credentialTitles()).toEqual([
			'Credential for Payment Pages Private Key API',
		]);
		expect(await details.parameterNames()).toEqual([
			'resource',
			'operation',
			'mappingMode',
			'pageName',
			'amount',
			'isFixedAmount',
			'paymentPageLinkReference',
			'ifReferenceExists',
			'simplify',
		]);
		await details.parameters.getByText('Optional Fields').waitFor();

		await details.fill('pageName', 'Été à la mer');
		await details.fill('amount', '149.50');
		await details.execute();
		await details.output.getByText(`${sandbox.url}/pay/ete-a-la-mer`).waitFor();
		expect([...sandbox.state.pages.values()]).toMatchObject([
			{ pageName: 'Été à la mer', amount: 149.5, paymentPageLinkReference: 'ete-a-la-mer' },
		]);
	});

	test('asks for the API key, and for nothing else, when a webhook is registered', async () => {
		const { credentials, details, editor, open } = stage();
		await open(empty());
		await editor.addAction('Manual Trigger', 'Payment Page', 'Create payment page');
		await details.choose('resource', 'Webhook');
		await details.parameter('webhookUrl').waitFor();
		expect(await details.credentialTitles()).toEqual(['Credential for Payment Pages API Key API']);
		expect(await details.parameterNames()).toEqual(['resource', 'operation', 'webhookUrl']);
		const apiKey = credentials.find(({ type }) => type === 'paymentPagesApiKeyApi');
		expect(await details.offeredCredentials()).toEqual([apiKey?.id, 'new']);
	});

	test('shows the one address that the trigger receives events at', async () => {
		const { details, editor, open } = stage();
		const trigger = triggerNode({}, { name: 'When paid', webhookId: 'the-webhook' });
		await open(workflow('Payment events', [trigger]));
		await editor.openNode('When paid');
		await details.parameters.getByText('Webhook URLs').click();
		await details.parameters.getByText('/webhook-test/the-webhook/').waitFor();
		// Probes with other methods are answered, but are nobody's business here.
		expect(await details.parameters.getByText(/^(GET|HEAD|POST)$/).allTextContents()).toEqual([
			'POST',
		]);
		await details.parameters.getByText('Options').first().waitFor();
		expect(await details.parameterNames()).toEqual([]);
	});
}
