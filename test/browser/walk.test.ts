import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startProgram } from '../../scripts/shared/subprocess';
import { freePort } from '../../scripts/shared/ports';
import { projectRoot } from '../../scripts/shared/root';
import { startTimeout } from '../e2e/support/bed';
import { triggerName } from '../e2e/support/triggerWorkflow';
import { cleanUp } from '../support/cleanUp';
import { makeFolder } from '../support/temporaryFolders';
import { lowSize, openBrowser, payOpenPage, usualSize } from './support/browser';
import { editorOn } from './support/editor';
import { takePicture } from './support/pictures';

jest.setTimeout(startTimeout + 240_000);

/** The invoice that is paid, as the examples made its page. */
const reference = 'test-inv-2026-0111';

test('leads from npm start to a workflow of their own that runs on every payment', async () => {
	const folder = makeFolder();
	const logFile = path.join(folder, 'terminal.txt');
	const start = await startProgram({
		name: 'npm start',
		program: process.execPath,
		args: [path.join(projectRoot, 'scripts', 'run.mjs'), 'scripts/start'],
		folder: projectRoot,
		environment: {
			...process.env,
			PAYMENT_PAGES_DATA: folder,
			N8N_PORT: String(await freePort()),
			SANDBOX_PORT: String(await freePort()),
		},
		logFile,
		isReady: async () => (await readFile(logFile, 'utf8')).includes('Press Ctrl-C to stop.'),
		stopSignal: 'SIGINT',
	});
	cleanUp(() => start.stop());
	const window = await openBrowser();
	const terminal = await start.readLog();
	const [, n8n = '', email = '', password = ''] =
		/^n8n +(\S+) +\(log in with (\S+) and (\S+)\)$/m.exec(terminal) ?? [];
	const [, sandbox = ''] = /^Sandbox +(\S+)/m.exec(terminal) ?? [];
	const page = await window.newPage();
	const payer = await window.newPage();
	await payer.setViewportSize({ width: 480, height: 720 });
	const parts = ['first', 'last'].map((which) => payer.locator(`main > :${which}-child`));
	const payersPage = { parts, space: 16, dark: true };
	/** Opens the page as a person does who finds it in the sandbox's list. */
	const openPage = async () => {
		await payer.bringToFront();
		await payer.goto(sandbox);
		await payer.getByRole('link', { name: reference, exact: true }).click();
	};
	const editor = editorOn(page, n8n);

	await page.setViewportSize(lowSize);
	await page.bringToFront();
	await editor.signIn({ email, password });
	await page.getByTestId('add-resource-workflow').first().click();

	await page.getByTestId('canvas-plus-button').click();
	await editor.searchBar.fill('payment link');
	await editor.addFound('Payment Page', 'On new Payment Page event');
	await takePicture(page, 'walk-trigger', { parts: [editor.opened], space: -2 });
	await editor.closeNode();
	const openDialog = page.getByTestId('workflow-open-publish-modal-button');
	const publish = page.getByTestId('workflow-publish-button');
	await openDialog.click();
	await publish.click();
	const published = page.getByRole('dialog').filter({ hasText: 'Workflow published' });
	await published.getByRole('button', { name: 'Got it' }).click();
	await published.waitFor({ state: 'hidden' });

	await editor.openNode(triggerName);
	await page.getByTestId('trigger-execute-button').click();
	await page.getByTestId('trigger-listening').waitFor();
	await openPage();
	await takePicture(payer, 'payment-page', payersPage);
	await payOpenPage(payer);
	await takePicture(payer, 'payment-page-paid', payersPage);
	await page.bringToFront();
	await editor.output.getByText(reference).first().waitFor();
	await page.setViewportSize({ ...usualSize, height: 860 });
	await editor.show(editor.output, 'Schema');
	const shown = editor.output.getByTestId('run-data-schema-item');
	for (const name of ['headers', 'params', 'query']) {
		const part = shown.filter({ has: page.locator(`[data-name="${name}"]`) });
		await part.locator('.toggle').click();
	}
	await shown.filter({ hasText: 'verifiedBy' }).waitFor();
	await takePicture(page, 'trigger-payment', { parts: [shown.first(), shown.last()], space: 8 });

	await page.setViewportSize(lowSize);
	await editor.closeNode();
	await editor.searchAfter(triggerName, 'Edit Fields');
	await editor.addFound('Edit Fields (Set)');
	await editor.dragTo('pageName', page.getByTestId('assignment-collection-drop-area'));
	await editor.parameters.getByText('Team portraits').first().waitFor();
	await takePicture(page, 'walk-edit-fields', { parts: [editor.input, editor.parameters] });
	await editor.closeNode();

	await openDialog.click();
	await publish.click();
	// Nothing is left to publish.
	await openDialog.and(page.locator(':disabled')).waitFor();
	await openPage();
	await payOpenPage(payer);
	await page.bringToFront();
	// The one that was copied to the test, the test itself, and the one of the second payment.
	await page.getByTestId('radio-button-executions').click();
	const list = page.getByTestId('executions-sidebar');
	const succeeded = list.locator('[data-test-execution-status="success"]');
	await succeeded.nth(2).waitFor();
	await succeeded.first().click();
	await editor.succeeded('Edit Fields').waitFor();
	await takePicture(page, 'walk-executions');

	await start.stop();
	expect(await start.readLog()).toMatch(/Stopping \.\.\.\s*$/);
});
