import type { Locator, Page } from 'playwright-core';
import type { Owner } from '../../../scripts/localN8n/types';
import { type PictureOptions, takePicture } from './pictures';

export type Editor = ReturnType<typeof editorOn>;

/** n8n's editor, as far as a person needs it to add a node, open it and run the workflow. */
export function editorOn(page: Page, url: string) {
	/** A node on the canvas. */
	const node = (name: string) =>
		page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	/** Where one enters which node to add. */
	const searchBar = page.getByTestId('node-creator-search-bar');
	/** An entry of the node creator: a node, or one of its actions. */
	const entry = (name: string) =>
		page.getByTestId('item-iterator-item').filter({ has: page.getByText(name, { exact: true }) });
	/** Of the open node, in the middle between its input and its output. */
	const parameters = page.getByTestId('node-parameters');
	const input = page.getByTestId('ndv-input-panel');
	const parameter = (name: string) => parameters.getByTestId(`parameter-input-${name}`);

	const newWorkflow = page.getByTestId('add-resource-workflow').first();
	const leave = page.getByRole('button', { name: 'Leave without saving' });
	const router = `document.querySelector('#app').__vue_app__.config.globalProperties.$router`;
	/** To another page, as the editor's links lead there: loading all of the editor takes ten seconds. */
	const go = (route: string) => page.evaluate(`void ${router}.push('${route}')`);

	return {
		page,
		node,
		newWorkflow,
		searchBar,
		entry,
		/** All of the open node. */
		opened: page.getByTestId('ndv'),
		input,
		parameters,
		parameter,
		output: page.getByTestId('output-panel'),

		async signIn({ email, password }: Pick<Owner, 'email' | 'password'>) {
			await page.goto(url);
			await page.locator('input[name="emailOrLdapLoginId"]').fill(email);
			await page.locator('input[name="password"]').fill(password);
			await page.getByTestId('form-submit-button').click();
			// n8n greets a new owner with its assistant; the house in the bar on the left leads to the workflows.
			await page.getByTestId('project-home-menu-item').click();
			await newWorkflow.waitFor();
		},

		/** Opens a workflow, after leaving the one before, of which n8n may not have saved all yet. */
		async openWorkflow(id: string) {
			await go('/home/workflows');
			await leave.or(newWorkflow).first().waitFor();
			if (await leave.isVisible()) await leave.click();
			await newWorkflow.waitFor();
			await go(`/workflow/${id}`);
			await page.getByTestId('canvas-wrapper').waitFor();
		},

		/** What the canvas shows of a node that ran without a failure. */
		succeeded: (name: string) => node(name).getByTestId('canvas-node-status-success'),

		/** Takes a picture of some nodes, with room around them on the canvas, which n8n fills with them. */
		async takePicture(name: string, nodes: string[], options: PictureOptions) {
			await page.getByTestId('zoom-out-button').click();
			await takePicture(page, name, { parts: nodes.map(node), ...options });
		},

		/** Searches for what could come after a node that has nothing after it yet. */
		async searchAfter(previous: string, text: string) {
			await node(previous).getByTestId('canvas-handle-plus').click();
			await searchBar.fill(text);
		},

		/** Adds the entries that were found, such as a node and its action; the new node is then open. */
		async addFound(...entries: string[]) {
			for (const each of entries) await entry(each).click();
			await parameters.waitFor();
		},

		async openNode(name: string) {
			await node(name).dblclick();
			await parameters.waitFor();
		},

		async closeNode() {
			await page.getByTestId('ndv-close-button').click();
			await parameters.waitFor({ state: 'hidden' });
		},

		/** Has the data of the input or the output shown in another way. */
		show: (data: Locator, view: 'Schema' | 'Table') =>
			data.getByRole('radio', { name: view }).click(),

		/** Names of the parameters that can be seen, from top to bottom. */
		async parameterNames() {
			const prefix = 'parameter-input-';
			const found = await parameters.locator(`[data-test-id^="${prefix}"]:visible`).all();
			const ids = await Promise.all(found.map((each) => each.getAttribute('data-test-id')));
			const names = ids.map((id) => String(id).replace(prefix, ''));
			// The text box of a parameter, whatever the parameter's name.
			return names.filter((name) => name !== 'field');
		},

		/** Titles of the credential selectors. */
		async credentialTitles() {
			const titles = await parameters.getByTestId('credentials-label').allTextContents();
			return titles.map((title) => title.trim());
		},

		fill: (name: string, text: string) =>
			parameter(name).locator('input, textarea').first().fill(text),

		async choose(name: string, option: string) {
			await parameter(name).click();
			const options = page.locator('.el-select-dropdown__item:visible');
			await options.filter({ has: page.getByText(option, { exact: true }) }).click();
		},

		/** Moves a column of the input, step by step as a hand does it. */
		async dragTo(column: string, target: Locator) {
			await input.locator(`[data-target="mappable"][data-name="${column}"]`).hover();
			await page.mouse.down();
			const area = await target.boundingBox();
			if (area === null) throw new Error(`There is nothing to drag ${column} to.`);
			await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2, { steps: 8 });
			await page.mouse.up();
		},

		/** Runs the workflow that is on the canvas. */
		execute: () => page.getByTestId('execute-workflow-button').click(),
		executeNode: () => page.getByTestId('node-execute-button').click(),
	};
}
