import type { BrowserContext, Page } from 'playwright-core';
import type { WorkflowContent } from '../../../scripts/localN8n/types';
import { startTimeout, type TestBed, useTestBed } from '../../e2e/support/bed';
import { cleanUp } from '../../e2e/support/cleanUp';
import { owner } from '../../e2e/support/preparedFolder';
import { openBrowser, openWindow, usualSize } from './browser';
import { Editor } from './editor';
import type { NodeDetails } from './nodeDetails';

/** n8n's editor in a browser, signed in, and a sandbox with both credentials for it. */
export interface Stage extends TestBed {
	editor: Editor;
	/** The open node of the editor. */
	details: NodeDetails;
	/** Opens a workflow in the editor, with the credentials in the nodes of the package. */
	open: (workflow: WorkflowContent) => Promise<void>;
	/** Opens another tab of the same browser. */
	openTab: (address: string) => Promise<Page>;
}

/**
 * One n8n, with more settings if any are given, and one browser for the test file that calls it; each
 * test begins with an empty sandbox.
 */
export function useStage(environment: Record<string, string> = {}): () => Stage {
	const bed = useTestBed({ environment: { N8N_DISABLE_UI: 'false', ...environment } });
	let window: BrowserContext;
	let editor: Editor;
	let existing: string[];

	beforeAll(async () => {
		const browser = await openBrowser();
		cleanUp(() => browser.close());
		window = await openWindow(browser);
		editor = new Editor(await window.newPage(), bed().n8n.url);
		await editor.signIn(owner);
	}, startTimeout);

	beforeEach(async () => {
		await bed().sandbox.reset();
		existing = (await bed().client.listCredentials()).map(({ id }) => id);
	});

	afterEach(async () => {
		await editor.leave();
		await editor.page.setViewportSize(usualSize);
		for (const page of window.pages()) if (page !== editor.page) await page.close();
		const { client } = bed();
		for (const { id } of await client.listWorkflows()) await client.deleteWorkflow(id);
		for (const { id } of await client.listCredentials()) {
			if (!existing.includes(id)) await client.deleteCredential(id);
		}
	});

	return () => ({
		...bed(),
		editor,
		details: editor.details,
		async open(workflow) {
			const { id } = await bed().save(workflow);
			await editor.openWorkflow(id);
		},
		async openTab(address) {
			const page = await window.newPage();
			await page.goto(address);
			return page;
		},
	});
}
