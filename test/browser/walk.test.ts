import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { type LongRunning, startProgram } from '../../scripts/shared/longRunning';
import { freePort } from '../../scripts/shared/ports';
import { projectRoot } from '../../scripts/shared/root';
import { startTimeout } from '../e2e/support/testBed';
import { openBrowser, openWindow } from './support/browser';
import { cleanUp } from './support/cleanUp';
import { Editor } from './support/editor';
import { takePicture } from './support/pictures';

/** What the terminal shows once everything is ready. */
const lastWords = 'Press Ctrl-C to stop.';

let start: LongRunning;
let window: BrowserContext;

beforeAll(async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'payment-pages-walk-'));
	cleanUp(() => rm(folder, { recursive: true }));
	const logFile = path.join(folder, 'terminal.txt');
	start = await startProgram({
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
		isReady: async () => (await readFile(logFile, 'utf8')).includes(lastWords),
		stopSignal: 'SIGINT',
	});
	cleanUp(() => start.stop());
	const browser = await openBrowser();
	cleanUp(() => browser.close());
	window = await openWindow(browser, { width: 1280, height: 800 });
}, startTimeout);

/** What the terminal says and a person needs: addresses and login. */
async function readTerminal(): Promise<{
	n8n: string;
	sandbox: string;
	email: string;
	password: string;
}> {
	const text = await start.readLog();
	const [, n8n = '', email = '', password = ''] =
		/^n8n +(\S+) +\(log in with (\S+) and (\S+)\)$/m.exec(text) ?? [];
	const [, sandbox = ''] = /^Sandbox +(\S+)/m.exec(text) ?? [];
	return { n8n, sandbox, email, password };
}

test('leads from npm start to a workflow of their own that listens for a payment', async () => {
	const { n8n, sandbox, email, password } = await readTerminal();
	const page = await window.newPage();
	const editor = new Editor(page, n8n);
	const { details } = editor;

	await page.bringToFront();
	await editor.signIn({ email, password });
	// n8n greets a new owner with its assistant; this is where the house in the bar on the left leads.
	await page.goto(`${n8n}/home/workflows`);
	await page.getByTestId('add-resource-workflow').first().click();

	await editor.addFirst('Payment Page', 'On new Payment Page event');
	await takePicture(page, 'walk-trigger', { parts: [details.window] });

	await details.listen();
	const payer = await window.newPage();
	await payer.goto(sandbox);
	await payer.getByRole('link', { name: 'inv-2026-0102', exact: true }).waitFor();
}, 240_000);

test('ends with Ctrl-C', async () => {
	await start.stop();
	expect(await start.readLog()).toMatch(/Stopping \.\.\.\s*$/);
}, 60_000);
