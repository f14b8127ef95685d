import type { BrowserContext } from 'playwright-core';
import type { WorkflowContent } from '../../../scripts/localN8n/types';
import { startTimeout, type TestBed, useTestBed } from '../../e2e/support/bed';
import { owner } from '../../e2e/support/preparedFolder';
import { openBrowser, usualSize } from './browser';
import { Editor } from './editor';
import type { NodeDetails } from './nodeDetails';

/** n8n's editor in a browser, signed in, and a sandbox with both credentials for it. */
export interface Stage extends TestBed {
	window: BrowserContext;
	editor: Editor;
	/** The open node of the editor. */
	details: NodeDetails;
	/** Opens a workflow in the editor, with the credentials in the nodes of the package. */
	open: (workflow: WorkflowContent) => Promise<void>;
}

/**
 * One n8n that takes up changes of the package, one browser and one loaded editor for the test file
 * that calls it; each test begins with an empty sandbox.
 */
export function useStage(): () => Stage {
	const bed = useTestBed({ environment: { N8N_DISABLE_UI: 'false', N8N_DEV_RELOAD: 'true' } });
	let window: BrowserContext;
	let editor: Editor;

	beforeAll(async () => {
		window = await openBrowser();
		editor = new Editor(await window.newPage(), bed().n8n.url);
		await editor.signIn(owner);
	}, startTimeout);

	beforeEach(async () => {
		await bed().sandbox.reset();
		await editor.page.setViewportSize(usualSize);
	});

	return () => ({
		...bed(),
		window,
		editor,
		details: editor.details,
		open: async (workflow) => editor.openWorkflow((await bed().save(workflow)).id),
	});
}
