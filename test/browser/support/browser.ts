import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, selectors } from 'playwright-core';
import { pictureScale } from './pictures';

const programNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') return false;
		throw error;
	}
}

/** The browser of this machine: what `CHROMIUM` names, or the first one on the PATH. */
function browserProgram(): string {
	const chosen = process.env.CHROMIUM;
	if (chosen) return chosen;
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const found = folders
		.flatMap((folder) => programNames.map((name) => path.join(folder, name)))
		.find(isExecutable);
	if (found) return found;
	throw new Error(
		'The browser tests need Chromium or Chrome: install one, or set CHROMIUM to its path.',
	);
}

export async function openBrowser(): Promise<Browser> {
	// n8n's editor marks its parts with this attribute.
	selectors.setTestIdAttribute('data-test-id');
	return chromium.launch({
		executablePath: browserProgram(),
		args: [
			// Chromium refuses to run as root, which is what a container's user is, with its sandbox on.
			'--no-sandbox',
			'--disable-gpu',
			// Nothing but the pages under test may use the network.
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** Little wider than a page of the docs, so that words in a picture of it can be read there. */
const usualSize = { width: 1040, height: 760 };

/** A person's browser; its tabs share what the person is signed in to. */
export async function openWindow(browser: Browser, viewport = usualSize): Promise<BrowserContext> {
	const window = await browser.newContext({
		viewport,
		deviceScaleFactor: pictureScale,
		colorScheme: 'light',
	});
	// A machine that does other things at the same time takes its time over n8n's editor.
	window.setDefaultTimeout(60_000);
	return window;
}
