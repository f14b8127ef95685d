import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { INode } from 'n8n-workflow';
import type { BrowserContext } from 'playwright-core';
import { owner } from '../../scripts/localN8n/bed';
import { type ExampleFile, exampleFiles, readExample } from '../../scripts/localN8n/examples';
import { packageFolder } from '../../scripts/localN8n/instance';
import type { WorkflowContent } from '../../scripts/localN8n/types';
import { projectRoot } from '../../scripts/shared/root';
import { fillCrm } from '../../scripts/start/crm';
import { watchPackage } from '../../scripts/start';
import { startTimeout, useTestBed } from '../e2e/support/bed';
import { triggerNode } from '../e2e/support/triggerWorkflow';
import { manualTrigger, paymentPage, rows, setField, workflow } from '../e2e/support/workflow';
import { cleanUp } from '../support/cleanUp';
import { copyOf } from '../support/temporaryFolders';
import { lowSize, openBrowser, payOpenPage, usualSize } from './support/browser';
import { type Editor, editorOn } from './support/editor';
import { takePicture } from './support/pictures';

/** What a person sees of the nodes in n8n's editor. All tests share one n8n. */
const bed = useTestBed({ environment: { N8N_DISABLE_UI: 'false', N8N_DEV_RELOAD: 'true' } });
jest.setTimeout(300_000);

let window: BrowserContext;
let editor: Editor;

beforeAll(async () => {
	window = await openBrowser();
	editor = editorOn(await window.newPage(), bed().n8n.url);
	await editor.signIn(owner);
}, startTimeout);

beforeEach(async () => {
	await bed().sandbox.reset();
	await editor.page.setViewportSize(usualSize);
});

/** Opens a workflow in the editor, with the credentials in the nodes of the package. */
async function open(content: WorkflowContent): Promise<void> {
	await editor.openWorkflow((await bed().save(content)).id);
}

/** What the service has of its pages, in an order that does not depend on time. */
function pages(): string[] {
	const all = [...bed().sandbox.state.pages.values()];
	return all
		.map(({ paymentPageLinkReference: reference, pageName, amount, isFixedAmount }) =>
			[reference, pageName, amount, isFixedAmount ? 'fixed' : 'open'].join(', '),
		)
		.sort();
}

/** Executes the open node, which makes a page of this reference. */
async function executeToPage(reference: string): Promise<void> {
	await editor.executeNode();
	await editor.output.getByText(`${bed().sandbox.url}/pay/${reference}`).waitFor();
}

/** Searches on a canvas with nothing but its first node. */
async function searchPaymentPage(): Promise<void> {
	await open(workflow('Payment pages in the editor', [manualTrigger()]));
	await editor.searchAfter('Manual Trigger', 'payment link');
}

test('the node is found by "payment link", shows what there is to fill in, and makes a page', async () => {
	await searchPaymentPage();
	const entry = editor.entry('Payment Page');
	await entry.locator('img[src*="/paymentPage.svg"]:visible').waitFor();
	// Fails for a picture that can't be drawn.
	const icons = `[...document.querySelectorAll('img[src*="/paymentPage.svg"]')]`;
	await editor.page.evaluate(`Promise.all(${icons}.map((icon) => icon.decode()))`);
	await takePicture(editor.page, 'node-search', { parts: [editor.searchBar, entry], space: 24 });
	await entry.click();
	await editor.entry('Update payment page').waitFor();
	await editor.entry('Register webhook').waitFor();
	await editor.addFound('Create payment page');
	expect(await editor.credentialTitles()).toEqual(['Credential for Payment Pages Private Key API']);
	expect(await editor.parameterNames()).toEqual([
		...['resource', 'operation', 'mappingMode', 'pageName', 'amount', 'isFixedAmount'],
		...['paymentPageLinkReference', 'ifReferenceExists', 'simplify'],
	]);
	await editor.parameters.getByText('Optional Fields').waitFor();
	await editor.fill('pageName', 'Été à la mer');
	await editor.fill('amount', '149.50');
	await executeToPage('ete-a-la-mer');
	expect(pages()).toEqual(['ete-a-la-mer, Été à la mer, 149.5, fixed']);

	await editor.choose('mappingMode', 'Map Automatically');
	await editor.parameter('pageName').waitFor({ state: 'hidden' });

	await editor.choose('resource', 'Webhook');
	await editor.parameter('webhookUrl').waitFor();
	expect(await editor.parameterNames()).toEqual(['resource', 'operation', 'webhookUrl']);
	expect(await editor.credentialTitles()).toEqual(['Credential for Payment Pages API Key API']);
});

test('the trigger shows the one address that it receives events at', async () => {
	const trigger = triggerNode({}, { name: 'When paid', webhookId: 'the-webhook' });
	await open(workflow('Payment events', [trigger]));
	await editor.openNode('When paid');
	await editor.parameters.getByText('Webhook URLs').click();
	await editor.parameters.getByText('/webhook-test/the-webhook/').waitFor();
	// Probes with other methods are answered, but are nobody's business here.
	const methods = editor.parameters.getByText(/^(GET|HEAD|POST)$/);
	expect(await methods.allTextContents()).toEqual(['POST']);
	await editor.parameters.getByText('Options').first().waitFor();
	expect(await editor.parameterNames()).toEqual([]);
});

test('a credential is red until its key is the right one, and then makes a page', async () => {
	const { baseUrl, settings } = bed().sandbox;
	await searchPaymentPage();
	await editor.addFound('Payment Page', 'Create payment page');
	await editor.parameters.getByTestId('node-credentials-select').click();
	await editor.page.getByTestId('node-credentials-select-item-new').click();
	const dialog = editor.page.getByTestId('editCredential-modal');
	const picture = { parts: [dialog], space: -2 };
	// The other key of the merchant is what people mistake for it.
	const wrong = { baseUrl, merchantId: settings.merchantId, privateKey: settings.apiKey };
	for (const [field, text] of Object.entries(wrong)) {
		await dialog.getByTestId(`parameter-input-${field}`).locator('input').fill(text);
	}
	await dialog.getByTestId('credential-save-button').click();
	await dialog.getByText('More details').click();
	await dialog.getByText(/HTTP 401.*private key/).waitFor();
	await takePicture(editor.page, 'credential-rejected', picture);

	const key = dialog.getByTestId('parameter-input-privateKey').locator('input');
	await key.fill(settings.privateKey);
	await dialog.getByTestId('credential-save-button').click();
	// n8n closes the dialog of a credential that works.
	await dialog.waitFor({ state: 'hidden' });
	await editor.parameters.getByTestId('credential-edit-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();
	await takePicture(editor.page, 'credential-accepted', picture);

	await dialog.getByRole('button', { name: 'Close' }).click();
	await dialog.waitFor({ state: 'hidden' });
	await editor.fill('pageName', 'Deposit');
	await editor.fill('amount', '20');
	await executeToPage('deposit');
});

test('rows become pages once their columns were dragged onto the fields', async () => {
	const data = [
		{ reference: 'inv-2026-0111', title: 'Team portraits', amount: 312 },
		{ reference: 'inv-2026-0118', title: 'Headshots', amount: 260 },
		{ reference: 'inv-2026-0124', title: 'Workshop seat', amount: 150 },
		{ reference: 'inv-2026-0126', title: 'Aurora brochure', amount: 990 },
	];
	const create = paymentPage({ operation: 'create' }, { name: 'Create pages' });
	await open(workflow('Pages for invoices', [manualTrigger(), ...rows(data), create]));
	await editor.openNode('Create pages');
	await editor.input.getByTestId('execute-previous-node').click();
	await editor.input.getByText('4 items').first().waitFor();
	for (const [column, parameter, preview] of [
		['title', 'pageName', 'Team portraits'],
		['amount', 'amount', '312'],
		['reference', 'paymentPageLinkReference', 'inv-2026-0111'],
	] as const) {
		await editor.dragTo(column, editor.parameter(parameter));
		// n8n has taken the column over once it shows its value; who runs it sooner runs it without.
		await editor.parameters.getByText(preview, { exact: true }).waitFor();
	}
	await executeToPage('inv-2026-0111');
	await editor.output.getByText('4 items', { exact: true }).waitFor();
	await editor.show(editor.input, 'Table');
	await editor.page.setViewportSize(lowSize);
	await editor.parameter('isFixedAmount').scrollIntoViewIfNeeded();
	await takePicture(editor.page, 'mapped-list', { parts: [editor.opened], space: -2 });
	expect(pages()).toEqual(
		data.map(({ reference, title, amount }) => `${reference}, ${title}, ${amount}, fixed`),
	);
});

describe('an item that fails', () => {
	/** Four invoices; nobody can know how much the third one is. */
	const invoices = [
		{ customer: 'Amelia Hart', invoice: 'inv-2026-0101', amount: '1249.50' },
		{ customer: 'Jürgen Müller', invoice: 'inv-2026-0102', amount: '890.00' },
		{ customer: 'Chloé Lefèvre', invoice: 'inv-2026-0103', amount: '1.250' },
		{ customer: "Thomas O'Brien", invoice: 'inv-2026-0104', amount: '75.25' },
	];
	const parameters = {
		operation: 'create',
		pageName: '=Invoice for {{ $json.customer }}',
		amount: '={{ $json.amount }}',
		paymentPageLinkReference: '={{ $json.invoice }}',
	};
	/** Nodes from left to right. */
	const inARow = (more: Partial<INode>) => {
		const create = paymentPage(parameters, { name: 'Create pages', ...more });
		const nodes = [manualTrigger(), ...rows(invoices), create];
		return nodes.map((node, index): INode => ({ ...node, position: [index * 220, 0] }));
	};

	test('says what is wrong with it and what to do, and sends nothing', async () => {
		await open(workflow('Pages for invoices', inARow({})));
		await editor.openNode('Create pages');
		await editor.executeNode();
		const message = editor.output.getByTestId('node-error-message');
		await message.filter({ hasText: /'Amount'.*1\.250.*1250 or 1\.25/ }).waitFor();
		await editor.show(editor.input, 'Table');
		await editor.output.getByTestId('node-error-description').getByText('ow 3 of 4').waitFor();
		expect(pages()).toEqual([]);
		await editor.page.setViewportSize(lowSize);
		await editor.parameter('paymentPageLinkReference').scrollIntoViewIfNeeded();
		const hovered = editor.input.getByText('1.250', { exact: true });
		await takePicture(editor.page, 'failed-item', { parts: [editor.opened], space: -2, hovered });
	});

	test('takes the second branch, and the others the first', async () => {
		const branches = ['Send link', 'Tell sales'];
		const nodes: INode[] = [
			...inARow({ onError: 'continueErrorOutput' }),
			{ ...setField('Send link', 'link', '={{ $json.paymentPageLink }}'), position: [900, -110] },
			{ ...setField('Tell sales', 'reason', '={{ $json.error }}'), position: [900, 110] },
		];
		await open(workflow('Pages for invoices', nodes, { 'Create pages': branches }));
		await editor.execute();
		await editor.succeeded('Tell sales').waitFor();
		await editor.takePicture('error-output', ['Create pages', ...branches], { space: 60 });
		await editor.openNode('Tell sales');
		await editor.show(editor.output, 'Table');
		for (const text of ['Chloé Lefèvre', /1250 or 1\.25/, '1 item']) {
			await editor.output.getByText(text).first().waitFor();
		}
		expect(pages()).toHaveLength(3);
	});
});

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

/** An example without its notes, so that its nodes fill the canvas. */
async function openExample(file: ExampleFile): Promise<string[]> {
	const example = await readExample(file);
	const nodes = example.nodes.filter((node) => !isNote(node));
	await open({ ...example, nodes });
	return nodes.map(({ name }) => name);
}

test('rows become pages in the example, and their links stand in the rows', async () => {
	await fillCrm(bed().tables);
	const names = await openExample('create-pages-from-crm');
	await editor.execute();
	await editor.succeeded('Save link in CRM').waitFor();
	await editor.takePicture('main-example', names, { space: 60, dark: true });
	await editor.openNode('Save link in CRM');
	await editor.output.getByText('28 items', { exact: true }).waitFor();
});

test('a payment lets the workflow that waits for it go on', async () => {
	const names = await openExample('wait-for-payment');
	await editor.execute();
	await editor.node('Wait for payment').locator('[class*="waiting"]').first().waitFor();
	const [page] = bed().sandbox.state.pages.values();
	const payer = await window.newPage();
	await payer.goto(page?.paymentPageLink ?? '');
	await payOpenPage(payer);
	await payer.close();
	await editor.succeeded('Payment claimed').waitFor();
	await editor.takePicture('wait-for-payment', names, { space: 100 });
	await editor.openNode('Payment claimed');
	const claim = 'Payment claimed, not confirmed: Deposit for the workshop';
	await editor.output.getByText(claim).waitFor();
});

/** The headings of notes on the canvas of which something can't be read without scrolling. */
const cutOffNotes = `[...document.querySelectorAll('[data-test-id="sticky"]')]
	.filter((note) => [note, ...note.querySelectorAll('*')].some(
		(part) => part.clientHeight > 0 && part.scrollHeight > part.clientHeight))
	.map((note) => note.querySelector('h2').textContent)`;

test('each note of the examples shows its whole text', async () => {
	const examples = await Promise.all(exampleFiles.map(readExample));
	const notes = examples.flatMap(({ nodes }) => nodes.filter(isNote));
	const content = `## Too low\n\n${'Text '.repeat(200)}`;
	const low = notes.slice(0, 1).map(({ parameters, ...note }) => {
		return { ...note, parameters: { ...parameters, content, height: 80 } };
	});
	const nodes = [...notes, ...low].map((note, index): INode => {
		return { ...note, id: `note-${index}`, name: `Note ${index}`, position: [0, index * 600] };
	});
	await open({ ...workflow('Notes', []), nodes });
	await editor.page.getByTestId('sticky').locator('h2').nth(notes.length).waitFor();
	expect(await editor.page.evaluate(cutOffNotes)).toEqual(['Too low']);
});

test('a change of a source is seen in the open editor without a restart', async () => {
	// What `npm run dev` watches, where a test may change it.
	const sources = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json'];
	const folder = copyOf(projectRoot, sources);
	await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
	const endWatch = watchPackage(folder, packageFolder(bed().n8n.userFolder));
	cleanUp(async () => endWatch());
	await open(workflow('Dev', [manualTrigger(), paymentPage({})]));
	await editor.openNode('Payment Page');
	await editor.parameters.getByText('Page Name', { exact: true }).waitFor();

	const file = path.join(folder, 'nodes', 'PaymentPage', 'fields', 'pageFields.ts');
	const text = await readFile(file, 'utf8');
	const changed = text.replace("label: 'Page Name'", "label: 'What the Page Is Called'");
	expect(changed).not.toBe(text);
	await writeFile(file, changed);
	await editor.parameters.getByText('What the Page Is Called', { exact: true }).waitFor();
});
