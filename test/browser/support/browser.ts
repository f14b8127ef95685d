import { type BrowserContext, chromium, type Page, selectors } from 'playwright-core';
import { findChromium } from '../../../scripts/shared/chromium';
import { cleanUp } from '../../support/cleanUp';
import { pictureScale } from './pictures';

/** Little wider than a page of the docs, so that words in a picture of it can be read there. */
export const usualSize = { width: 1040, height: 760 };

/** For a picture of less. */
export const lowSize = { width: 1040, height: 560 };

/** A person's browser, until the end of the test file; its tabs share what the person is signed in to. */
export async function openBrowser(): Promise<BrowserContext> {
	const executablePath = findChromium();
	if (executablePath === undefined) {
		throw new Error('There is no Chromium or Chrome: install one, or set CHROMIUM to its path.');
	}
	// n8n's editor marks its parts with this attribute.
	selectors.setTestIdAttribute('data-test-id');
	const browser = await chromium.launch({
		executablePath,
		// A container's user is root, for whom Chromium does not run with its sandbox on.
		args: ['--no-sandbox', '--disable-gpu'],
	});
	cleanUp(() => browser.close());
	const window = await browser.newContext({
		viewport: usualSize,
		deviceScaleFactor: pictureScale,
		colorScheme: 'light',
	});
	// A machine that does other things at the same time takes its time, most of all to load the editor.
	window.setDefaultTimeout(60_000);
	window.setDefaultNavigationTimeout(240_000);
	return window;
}

/** Does what a payer does on a page that asks for nothing more. */
export async function payOpenPage(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByRole('status').waitFor();
}
