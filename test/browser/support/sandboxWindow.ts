import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { cleanUp } from '../../e2e/support/cleanUp';
import { openBrowser, openWindow } from './browser';

/** Does what a payer does on a page that asks for nothing more. */
export async function payOpenPage(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByRole('status').waitFor();
}

export interface SandboxWindow {
	sandbox: Sandbox;
	/** Opens an address of the sandbox in a window of this width. */
	open: (address: string, width: number) => Promise<Page>;
}

/** One sandbox and one browser for the test file that calls it. */
export function useSandboxWindow(): () => SandboxWindow {
	let opened: SandboxWindow | undefined;

	beforeAll(async () => {
		const sandbox = await startSandbox();
		cleanUp(() => sandbox.stop());
		const browser = await openBrowser();
		cleanUp(() => browser.close());
		const open = async (address: string, width: number): Promise<Page> => {
			const page = await (await openWindow(browser, { width, height: 780 })).newPage();
			await page.goto(new URL(address, sandbox.url).href);
			return page;
		};
		opened = { sandbox, open };
	}, 60_000);

	return () => {
		if (!opened) throw new Error('The window is there in tests only.');
		return opened;
	};
}
