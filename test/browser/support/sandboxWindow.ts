import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { openBrowser, openWindow } from './browser';
import { cleanUp } from './cleanUp';

export interface SandboxWindow {
	sandbox: Sandbox;
	/** Opens an address of the sandbox in a window of this width. */
	open: (address: string, width: number) => Promise<Page>;
}

/** One sandbox and one browser for the test file that calls it; each test begins with it empty. */
export function useSandboxWindow(): () => SandboxWindow {
	let sandbox: Sandbox;
	let browser: Browser;

	beforeAll(async () => {
		sandbox = await startSandbox();
		cleanUp(() => sandbox.stop());
		browser = await openBrowser();
		cleanUp(() => browser.close());
	}, 60_000);

	beforeEach(() => sandbox.reset());

	afterEach(async () => {
		for (const window of browser.contexts()) await window.close();
	});

	return () => ({
		sandbox,
		async open(address, width) {
			const window = await openWindow(browser, { width, height: 780 });
			const page = await window.newPage();
			await page.goto(new URL(address, sandbox.url).href);
			return page;
		},
	});
}
