import type { Locator, Page } from 'playwright-core';
import type { Owner } from '../../../scripts/localN8n/types';

/** The test ids of elements that have one, in the order of the document. */
async function testIds(elements: Locator): Promise<string[]> {
	const ids = (await elements.all()).map((element) => element.getAttribute('data-test-id'));
	return (await Promise.all(ids)).map(String);
}

/** n8n's editor, as far as a person needs it to add a node, fill it in and run it. */
export class Editor {
	constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	async signIn({ email, password }: Pick<Owner, 'email' | 'password'>): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page.locator('input[name="emailOrLdapLoginId"]').fill(email);
		await this.page.locator('input[name="password"]').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL((url) => url.pathname !== '/signin');
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-wrapper').waitFor();
	}

	/** Leaves the workflow, which otherwise counts as being edited for a while. */
	async leave(): Promise<void> {
		await this.page.goto('about:blank');
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.panel.waitFor();
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.panel.waitFor({ state: 'hidden' });
	}

	/** What the canvas shows of a node that ran without a failure. */
	succeeded(name: string): Locator {
		return this.node(name).getByTestId('canvas-node-status-success');
	}

	/** What the canvas shows of a node that waits. */
	waiting(name: string): Locator {
		return this.node(name).locator('[class*="waiting"]').first();
	}

	/** Searches for what could come after a node that has nothing after it yet. */
	async searchAfter(previous: string, text: string): Promise<void> {
		await this.node(previous).getByTestId('canvas-handle-plus').click();
		await this.page.getByTestId('node-creator-search-bar').fill(text);
	}

	/** From the canvas to the panel of a new node that does this. */
	async addAction(previous: string, node: string, action: string): Promise<void> {
		await this.searchAfter(previous, node);
		await this.creatorEntry(node).click();
		await this.creatorEntry(action).click();
		await this.panel.waitFor();
	}

	/** An entry of the node creator: a node, or one of its actions. */
	creatorEntry(name: string): Locator {
		return this.page
			.getByTestId('item-iterator-item')
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** The open node's panel with its parameters. */
	get panel(): Locator {
		return this.page.getByTestId('node-parameters');
	}

	/** What comes in from the node before the open one. */
	get input(): Locator {
		return this.page.getByTestId('ndv-input-panel');
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** Has a panel's data shown as a table, say. */
	async show(panel: Locator, view: 'Schema' | 'Table' | 'JSON'): Promise<void> {
		await panel.getByRole('radio', { name: view }).click();
	}

	parameter(name: string): Locator {
		return this.panel.getByTestId(`parameter-input-${name}`);
	}

	/** Names of the parameters that the panel shows, from top to bottom. */
	async parameterNames(): Promise<string[]> {
		const ids = await testIds(this.panel.locator('[data-test-id^="parameter-input-"]:visible'));
		const names = ids.map((id) => id.replace('parameter-input-', ''));
		// The text box of a parameter, whatever the parameter's name.
		return names.filter((name) => name !== 'field');
	}

	/** Titles of the credential selectors that the panel shows. */
	async credentialTitles(): Promise<string[]> {
		const titles = await this.panel.getByTestId('credentials-label').allTextContents();
		return titles.map((title) => title.trim());
	}

	/** Opens the credential selector and gives the ids that it offers; "new" is the last of them. */
	async offeredCredentials(): Promise<string[]> {
		await this.panel.getByTestId('node-credentials-select').click();
		const prefix = 'node-credentials-select-item-';
		const items = this.page.locator(`[data-test-id^="${prefix}"]:visible`);
		await items.last().waitFor();
		return (await testIds(items)).map((id) => id.replace(prefix, ''));
	}

	/** Opens the dialog for a new credential of the open node. */
	async addCredential(): Promise<void> {
		await this.panel.getByTestId('node-credentials-select').click();
		await this.page.getByTestId('node-credentials-select-item-new').click();
	}

	async fill(parameter: string, text: string): Promise<void> {
		await this.parameter(parameter).locator('input, textarea').first().fill(text);
	}

	async choose(parameter: string, option: string): Promise<void> {
		await this.parameter(parameter).click();
		const options = this.page.locator('.el-select-dropdown__item:visible');
		await options.filter({ has: this.page.getByText(option, { exact: true }) }).click();
	}

	/** Moves a column of the input onto a field, step by step as a hand does it. */
	async drag(column: string, parameter: string): Promise<void> {
		const { mouse } = this.page;
		await this.input.locator(`[data-target="mappable"][data-name="${column}"]`).hover();
		await mouse.down();
		const field = await this.parameter(parameter).boundingBox();
		if (field === null) throw new Error(`The field ${parameter} is not to be seen.`);
		await mouse.move(field.x + field.width / 2, field.y + field.height / 2, { steps: 8 });
		await mouse.up();
	}

	async executeNode(): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
	}

	/** Runs what comes before the open node. */
	async executePreviousNodes(): Promise<void> {
		await this.input.getByTestId('execute-previous-node').click();
		await this.input.getByTestId('ndv-data-container').waitFor();
	}

	/** Runs the workflow that is on the canvas. */
	async executeWorkflow(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
	}

	/** Has the open trigger wait for an event. */
	async listen(): Promise<void> {
		await this.page.getByTestId('trigger-execute-button').click();
		await this.page.getByTestId('trigger-listening').waitFor();
	}
}
