import type { INode } from 'n8n-workflow';
import { type ExampleFile, readExample } from '../../scripts/localN8n/examples';
import { fillCrm } from '../../scripts/start/crm';
import { triggerNode } from '../e2e/support/triggerWorkflow';
import { manualTrigger, paymentPage, rows, setField, workflow } from '../e2e/support/workflow';
import { lowSize } from './support/browser';
import { CredentialDialog } from './support/credentialDialog';
import { takePicture } from './support/pictures';
import { payOpenPage } from './support/sandboxWindow';
import { useStage } from './support/stage';

/** What a person sees of the nodes in n8n's editor. All tests share one n8n. */
const stage = useStage();
jest.setTimeout(180_000);

const empty = () => workflow('Payment pages in the editor', [manualTrigger()]);

/** Nodes in a row, from left to right. */
function inARow(nodes: INode[]): INode[] {
	return nodes.map((each, index) => ({ ...each, position: [index * 220, 0] }));
}

/** What the service has of its pages, in an order that does not depend on time. */
function pages(): string[] {
	return [...stage().sandbox.state.pages.values()]
		.map(({ paymentPageLinkReference, pageName, amount, isFixedAmount }) =>
			[paymentPageLinkReference, pageName, amount, isFixedAmount ? 'fixed' : 'open'].join(', '),
		)
		.sort();
}

/** An example without its note, so that its nodes fill the canvas. */
async function openExample(file: ExampleFile): Promise<string[]> {
	const example = await readExample(file);
	const nodes = example.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	await stage().open({ ...example, nodes });
	return nodes.map(({ name }) => name);
}

describe('adding a node', () => {
	test('is offered to who searches for "payment link", with its icon and actions', async () => {
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

	test('shows what there is to fill in, creates a page, and hides what comes from columns', async () => {
		const { details, editor, open, sandbox } = stage();
		await open(empty());
		await editor.addAfter('Manual Trigger', 'Payment Page', 'Create payment page');
		const privateKey = 'Credential for Payment Pages Private Key API';
		expect(await details.credentialTitles()).toEqual([privateKey]);
		const first = ['resource', 'operation', 'mappingMode'];
		const fields = ['pageName', 'amount', 'isFixedAmount', 'paymentPageLinkReference'];
		const last = ['ifReferenceExists', 'simplify'];
		expect(await details.parameterNames()).toEqual([...first, ...fields, ...last]);
		await details.parameters.getByText('Optional Fields').waitFor();
		await details.fill('pageName', 'Été à la mer');
		await details.fill('amount', '149.50');
		await details.execute();
		await details.output.getByText(`${sandbox.url}/pay/ete-a-la-mer`).waitFor();
		expect(pages()).toEqual(['ete-a-la-mer, Été à la mer, 149.5, fixed']);

		await details.choose('mappingMode', 'Map Automatically');
		await details.parameter('pageName').waitFor({ state: 'hidden' });
	});

	test('asks for the API key, and for nothing else, when a webhook is registered', async () => {
		const { credentials, details, editor, open } = stage();
		await open(empty());
		await editor.addAfter('Manual Trigger', 'Payment Page', 'Create payment page');
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
		const methods = details.parameters.getByText(/^(GET|HEAD|POST)$/);
		expect(await methods.allTextContents()).toEqual(['POST']);
		await details.parameters.getByText('Options').first().waitFor();
		expect(await details.parameterNames()).toEqual([]);
	});

	test('works by keyboard alone, and its fields are filled in from top to bottom', async () => {
		const { details, editor, open, sandbox } = stage();
		const { keyboard } = editor.page;
		await open(empty());
		await editor.node('Manual Trigger').waitFor();
		await keyboard.press('ControlOrMeta+a');
		await keyboard.press('n');
		await editor.searchBar.waitFor();
		await keyboard.type('payment link');
		for (const entry of ['Payment Page', 'Create payment page']) {
			await editor.activeEntry(entry).waitFor();
			await keyboard.press('Enter');
		}
		await details.parameters.waitFor();

		expect(await details.tabTo('pageName')).toEqual(['resource', 'operation', 'mappingMode']);
		await keyboard.type('Deposit for the workshop');
		expect(await details.tabTo('amount')).toEqual([]);
		await keyboard.type('120.50');
		expect(await details.tabTo('paymentPageLinkReference')).toEqual(['isFixedAmount']);
		await keyboard.type('workshop-deposit');
		await details.tabToButton(details.output.getByRole('button', { name: 'Execute step' }));
		await keyboard.press('Enter');
		await details.output.getByText(`${sandbox.url}/pay/workshop-deposit`).waitFor();
		expect(pages()).toEqual(['workshop-deposit, Deposit for the workshop, 120.5, fixed']);
	});
});

test('a credential is red until its key is the right one, and then makes a page', async () => {
	const { details, editor, open, sandbox } = stage();
	await open(empty());
	await editor.addAfter('Manual Trigger', 'Payment Page', 'Create payment page');
	await details.addCredential();
	const dialog = new CredentialDialog(editor.page);
	await dialog.fill('baseUrl', sandbox.baseUrl);
	await dialog.fill('merchantId', sandbox.settings.merchantId);
	// The other key of the merchant: what people mistake for it.
	await dialog.fill('privateKey', sandbox.settings.apiKey);
	await dialog.save();
	await dialog.root.getByText('More details').click();
	await dialog.root.getByText(/HTTP 401.*private key/).waitFor();
	await takePicture(editor.page, 'credential-rejected', { parts: [dialog.root], space: -2 });

	await dialog.fill('privateKey', sandbox.settings.privateKey);
	await dialog.save();
	// n8n closes the dialog of a credential that works.
	await dialog.root.waitFor({ state: 'hidden' });
	await details.editCredential();
	await dialog.root.getByText('Connection tested successfully').waitFor();
	await takePicture(editor.page, 'credential-accepted', { parts: [dialog.root], space: -2 });

	await dialog.close();
	await details.fill('pageName', 'Deposit');
	await details.fill('amount', '20');
	await details.execute();
	await details.output.getByText(`${sandbox.url}/pay/deposit`).waitFor();
});

/** Four invoices; nobody can know how much the third one is. */
const invoices = [
	{ customer: 'Amelia Hart', invoice: 'inv-2026-0101', amount: '1249.50' },
	{ customer: 'Jürgen Müller', invoice: 'inv-2026-0102', amount: '890.00' },
	{ customer: 'Chloé Lefèvre', invoice: 'inv-2026-0103', amount: '1.250' },
	{ customer: "Thomas O'Brien", invoice: 'inv-2026-0104', amount: '75.25' },
];

function createPages(more: Partial<INode> = {}): INode {
	const parameters = {
		operation: 'create',
		pageName: '=Invoice for {{ $json.customer }}',
		amount: '={{ $json.amount }}',
		paymentPageLinkReference: '={{ $json.invoice }}',
	};
	return paymentPage(parameters, { name: 'Create pages', ...more });
}

describe('rows of a table', () => {
	test('become pages once their columns were dragged onto the fields', async () => {
		const { details, editor, open, sandbox } = stage();
		const data = [
			{ reference: 'inv-2026-0111', title: 'Team portraits', amount: 312 },
			{ reference: 'inv-2026-0118', title: 'Headshots', amount: 260 },
			{ reference: 'inv-2026-0124', title: 'Workshop seat', amount: 150 },
			{ reference: 'inv-2026-0126', title: 'Aurora brochure', amount: 990 },
		];
		const create = paymentPage({ operation: 'create' }, { name: 'Create pages' });
		await open(workflow('Pages for invoices', [manualTrigger(), ...rows(data), create]));
		await editor.openNode('Create pages');
		await details.executePreviousNodes();
		for (const [column, parameter, preview] of [
			['title', 'pageName', 'Team portraits'],
			['amount', 'amount', '312'],
			['reference', 'paymentPageLinkReference', 'inv-2026-0111'],
		] as const) {
			await details.dragTo(column, details.parameter(parameter));
			// n8n has taken the column over once it shows its value; who runs it sooner runs it without.
			await details.parameters.getByText(preview, { exact: true }).waitFor();
		}
		await details.execute();
		await details.output.getByText('4 items', { exact: true }).waitFor();
		await details.show(details.input, 'Table');
		await details.output.getByText(`${sandbox.url}/pay/inv-2026-0111`).waitFor();
		await editor.page.setViewportSize(lowSize);
		await details.parameter('isFixedAmount').scrollIntoViewIfNeeded();
		await takePicture(editor.page, 'mapped-list', { parts: [details.window], space: -2 });
		expect(pages()).toEqual(
			data.map(({ reference, title, amount }) => `${reference}, ${title}, ${amount}, fixed`),
		);
	});

	test('become pages in the example, and their links stand in the rows', async () => {
		const { details, editor, tables } = stage();
		await fillCrm(tables);
		const names = await openExample('create-pages-from-crm');
		await editor.execute();
		await editor.succeeded('Save link in CRM').waitFor();
		const parts = names.map((name) => editor.node(name));
		await editor.zoomOut();
		await takePicture(editor.page, 'main-example', { parts, space: 60, dark: true });
		await editor.openNode('Save link in CRM');
		await details.output.getByText('28 items', { exact: true }).waitFor();
	});
});

describe('an item that fails', () => {
	test('says what is wrong with it and what to do, and sends nothing', async () => {
		const { details, editor, open } = stage();
		const nodes = inARow([manualTrigger(), ...rows(invoices), createPages()]);
		await open(workflow('Pages for invoices', nodes));
		await editor.openNode('Create pages');
		await details.execute();
		const message = details.output.getByTestId('node-error-message');
		await message.filter({ hasText: /'Amount'.*1\.250.*1250 or 1\.25/ }).waitFor();
		await details.show(details.input, 'Table');
		await details.output.getByTestId('node-error-description').getByText('ow 3 of 4').waitFor();
		expect(pages()).toEqual([]);
		await editor.page.setViewportSize(lowSize);
		await details.parameter('paymentPageLinkReference').scrollIntoViewIfNeeded();
		await takePicture(editor.page, 'failed-item', {
			parts: [details.window],
			space: -2,
			hovered: details.input.getByText('1.250', { exact: true }),
		});
	});

	test('takes the second branch, and the others the first', async () => {
		const { details, editor, open } = stage();
		const create = createPages({ onError: 'continueErrorOutput' });
		const nodes: INode[] = [
			...inARow([manualTrigger(), ...rows(invoices), create]),
			{ ...setField('Send link', 'link', '={{ $json.paymentPageLink }}'), position: [900, -110] },
			{ ...setField('Tell sales', 'reason', '={{ $json.error }}'), position: [900, 110] },
		];
		const branches = ['Send link', 'Tell sales'];
		await open(workflow('Pages for invoices', nodes, { 'Create pages': branches }));
		await editor.execute();
		await editor.succeeded('Tell sales').waitFor();
		const parts = ['Create pages', ...branches].map((name) => editor.node(name));
		await editor.zoomOut();
		await takePicture(editor.page, 'error-output', { parts, space: 60 });

		await editor.openNode('Tell sales');
		await details.show(details.output, 'Table');
		for (const text of ['Chloé Lefèvre', /1250 or 1\.25/, '1 item']) {
			await details.output.getByText(text).first().waitFor();
		}
		await details.close();
		await editor.openNode('Send link');
		await details.output.getByText('3 items', { exact: true }).waitFor();
		expect(pages()).toHaveLength(3);
	});
});

test('a payment lets the workflow that waits for it go on', async () => {
	const { details, editor, openTab, sandbox } = stage();
	const names = await openExample('wait-for-payment');
	await editor.execute();
	await editor.waiting('Wait for payment').waitFor();
	const [page] = sandbox.state.pages.values();
	await payOpenPage(await openTab(page?.paymentPageLink ?? ''));
	await editor.page.bringToFront();
	await editor.succeeded('Payment claimed').waitFor();
	const parts = names.map((name) => editor.node(name));
	await editor.zoomOut();
	await takePicture(editor.page, 'wait-for-payment', { parts, space: 100 });
	await editor.openNode('Payment claimed');
	const claim = 'Payment claimed, not confirmed: Deposit for the workshop';
	await details.output.getByText(claim).waitFor();
});
