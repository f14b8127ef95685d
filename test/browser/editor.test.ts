import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { INode } from 'n8n-workflow';
import { type ExampleFile, exampleFiles, readExample } from '../../scripts/localN8n/examples';
import { packageFolder } from '../../scripts/localN8n/instance';
import { projectRoot } from '../../scripts/shared/root';
import { fillCrm } from '../../scripts/start/crm';
import { watchPackage } from '../../scripts/start/watchPackage';
import { cleanUp } from '../e2e/support/cleanUp';
import { triggerNode } from '../e2e/support/triggerWorkflow';
import { manualTrigger, paymentPage, rows, setField, workflow } from '../e2e/support/workflow';
import { lowSize, payOpenPage } from './support/browser';
import { takePicture } from './support/pictures';
import { useStage } from './support/stage';

/** What a person sees of the nodes in n8n's editor. All tests share one n8n and one loaded editor. */
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

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

/** An example without its notes, so that its nodes fill the canvas. */
async function openExample(file: ExampleFile): Promise<string[]> {
	const example = await readExample(file);
	const nodes = example.nodes.filter((node) => !isNote(node));
	await stage().open({ ...example, nodes });
	return nodes.map(({ name }) => name);
}

/** From a canvas with nothing but its first node to the panel of a new node. */
async function addPaymentPage(): Promise<void> {
	const { editor, open } = stage();
	await open(empty());
	await editor.searchAfter('Manual Trigger', 'payment link');
	await editor.addFound('Payment Page', 'Create payment page');
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
		const decode = 'Promise.all([...document.images].map((image) => image.decode()))';
		await editor.page.evaluate(decode);
		await takePicture(editor.page, 'node-search', { parts: [editor.searchBar, entry], space: 24 });
		await entry.click();
		for (const action of ['Create payment page', 'Update payment page', 'Register webhook']) {
			await editor.creatorEntry(action).waitFor();
		}
	});

	test('shows what there is to fill in, creates a page, and hides what comes from columns', async () => {
		const { details, sandbox } = stage();
		await addPaymentPage();
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
		const { credentials, details } = stage();
		await addPaymentPage();
		await details.choose('resource', 'Webhook');
		await details.parameter('webhookUrl').waitFor();
		expect(await details.credentialTitles()).toEqual(['Credential for Payment Pages API Key API']);
		expect(await details.parameterNames()).toEqual(['resource', 'operation', 'webhookUrl']);
		const apiKey = credentials.find(({ type }) => type === 'paymentPagesApiKeyApi');
		const offered = await (await details.openCredentials()).all();
		const ids = await Promise.all(offered.map((item) => item.getAttribute('data-test-id')));
		const prefix = 'node-credentials-select-item-';
		expect(ids).toEqual([`${prefix}${apiKey?.id}`, `${prefix}new`]);
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
			// The one that the Enter key would choose.
			const active = editor.creatorEntry(entry).and(editor.page.locator('[class*="_active_"]'));
			await active.waitFor();
			await keyboard.press('Enter');
		}
		await details.parameters.waitFor();

		expect(await details.tabTo(details.parameter('pageName'))).toEqual([
			'resource',
			'operation',
			'mappingMode',
		]);
		await keyboard.type('Deposit for the workshop');
		expect(await details.tabTo(details.parameter('amount'))).toEqual([]);
		await keyboard.type('120.50');
		expect(await details.tabTo(details.parameter('paymentPageLinkReference'))).toEqual([
			'isFixedAmount',
		]);
		await keyboard.type('workshop-deposit');
		await details.tabTo(details.output.getByRole('button', { name: 'Execute step' }));
		await keyboard.press('Enter');
		await details.output.getByText(`${sandbox.url}/pay/workshop-deposit`).waitFor();
		expect(pages()).toEqual(['workshop-deposit, Deposit for the workshop, 120.5, fixed']);
	});
});

test('a credential is red until its key is the right one, and then makes a page', async () => {
	const { details, editor, sandbox } = stage();
	await addPaymentPage();
	await (await details.openCredentials()).last().click();
	const dialog = editor.page.getByTestId('editCredential-modal');
	const fill = (field: string, text: string) =>
		dialog.getByTestId(`parameter-input-${field}`).locator('input').fill(text);
	const picture = { parts: [dialog], space: -2 };
	await fill('baseUrl', sandbox.baseUrl);
	await fill('merchantId', sandbox.settings.merchantId);
	// The other key of the merchant: what people mistake for it.
	await fill('privateKey', sandbox.settings.apiKey);
	await dialog.getByTestId('credential-save-button').click();
	await dialog.getByText('More details').click();
	await dialog.getByText(/HTTP 401.*private key/).waitFor();
	await takePicture(editor.page, 'credential-rejected', picture);

	await fill('privateKey', sandbox.settings.privateKey);
	await dialog.getByTestId('credential-save-button').click();
	// n8n closes the dialog of a credential that works.
	await dialog.waitFor({ state: 'hidden' });
	await details.parameters.getByTestId('credential-edit-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();
	await takePicture(editor.page, 'credential-accepted', picture);

	await dialog.getByRole('button', { name: 'Close' }).click();
	await dialog.waitFor({ state: 'hidden' });
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
		await details.input.getByTestId('execute-previous-node').click();
		// One count for each of the nodes before.
		await details.input.getByText('4 items').first().waitFor();
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
		await editor.takePicture('main-example', names, { space: 60, dark: true });
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
		await editor.takePicture('error-output', ['Create pages', ...branches], { space: 60 });

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
	const { details, editor, sandbox, window } = stage();
	const names = await openExample('wait-for-payment');
	await editor.execute();
	await editor.node('Wait for payment').locator('[class*="waiting"]').first().waitFor();
	const [page] = sandbox.state.pages.values();
	const payer = await window.newPage();
	await payer.goto(page?.paymentPageLink ?? '');
	await payOpenPage(payer);
	await payer.close();
	await editor.succeeded('Payment claimed').waitFor();
	await editor.takePicture('wait-for-payment', names, { space: 100 });
	await editor.openNode('Payment claimed');
	const claim = 'Payment claimed, not confirmed: Deposit for the workshop';
	await details.output.getByText(claim).waitFor();
});

/** The headings of notes on the canvas of which something can't be read without scrolling. */
const cutOffNotes = `[...document.querySelectorAll('[data-test-id="sticky"]')]
	.filter((note) => [note, ...note.querySelectorAll('*')].some(
		(part) => part.clientHeight > 0 && part.scrollHeight > part.clientHeight))
	.map((note) => note.querySelector('h2').textContent)`;

test('each note of the examples shows its whole text', async () => {
	const { editor, open } = stage();
	const examples = await Promise.all(exampleFiles.map(readExample));
	const notes = examples.flatMap(({ nodes }) => nodes.filter(isNote));
	const [first = manualTrigger()] = notes;
	const content = `## Too small\n\n${String(first.parameters['content'])}`;
	const small = { ...first, parameters: { ...first.parameters, content } };
	const nodes = [...notes, small].map((note, index): INode => {
		return { ...note, id: `note-${index}`, name: `Note ${index}`, position: [0, index * 600] };
	});
	await open({ ...workflow('Notes', []), nodes });
	const shown = editor.page.getByTestId('sticky').locator('h2:visible');
	await shown.nth(notes.length).waitFor();
	expect(await editor.page.evaluate(cutOffNotes)).toEqual(['Too small']);
});

test('a change of a source is seen in the open editor without a restart', async () => {
	const { n8n, open, editor, details } = stage();
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-dev-'));
	cleanUp(() => rm(folder, { recursive: true }));
	// What `npm run dev` watches, where a test may change it.
	for (const name of ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json']) {
		await cp(path.join(projectRoot, name), path.join(folder, name), { recursive: true });
	}
	await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
	const endWatch = watchPackage(folder, packageFolder(n8n.userFolder));
	cleanUp(async () => endWatch());
	await open(workflow('Dev', [manualTrigger(), paymentPage({})]));
	await editor.openNode('Payment Page');
	await details.parameters.getByText('Page Name', { exact: true }).waitFor();

	const file = path.join(folder, 'nodes', 'PaymentPage', 'fields', 'pageFields.ts');
	const text = await readFile(file, 'utf8');
	const changed = text.replace("label: 'Page Name'", "label: 'What the Page Is Called'");
	expect(changed).not.toBe(text);
	await writeFile(file, changed);
	await details.parameters.getByText('What the Page Is Called', { exact: true }).waitFor();
});
