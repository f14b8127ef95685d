import type { Locator, Page } from 'playwright-core';

/** More than all that can have the focus in an open node. */
const mostPresses = 80;

/** The test ids of elements that have one, in the order of the document. */
async function testIds(elements: Locator): Promise<string[]> {
	const ids = (await elements.all()).map((element) => element.getAttribute('data-test-id'));
	return (await Promise.all(ids)).map(String);
}

/** An open node: its input, its parameters and its output, side by side. */
export class NodeDetails {
	constructor(readonly page: Page) {}

	get window(): Locator {
		return this.page.getByTestId('ndv');
	}

	/** What comes in from the node before. */
	get input(): Locator {
		return this.page.getByTestId('ndv-input-panel');
	}

	get parameters(): Locator {
		return this.page.getByTestId('node-parameters');
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	async close(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.parameters.waitFor({ state: 'hidden' });
	}

	/** Has the data of the input or the output shown in another way. */
	async show(data: Locator, view: 'Schema' | 'Table' | 'JSON'): Promise<void> {
		await data.getByRole('radio', { name: view }).click();
	}

	/** Folds up a part of the output that is shown as a schema. */
	async fold(name: string): Promise<void> {
		const parts = this.output.getByTestId('run-data-schema-item');
		const part = parts.filter({ has: this.page.locator(`[data-name="${name}"]`) });
		await part.locator('.toggle').click();
	}

	parameter(name: string): Locator {
		return this.parameters.getByTestId(`parameter-input-${name}`);
	}

	/** Names of the parameters that can be seen, from top to bottom. */
	async parameterNames(state: ':visible' | ':focus-within' = ':visible'): Promise<string[]> {
		const prefix = 'parameter-input-';
		const ids = await testIds(this.parameters.locator(`[data-test-id^="${prefix}"]${state}`));
		const names = ids.map((id) => id.replace(prefix, ''));
		// The text box of a parameter, whatever the parameter's name.
		return names.filter((name) => name !== 'field');
	}

	async fill(parameter: string, text: string): Promise<void> {
		await this.parameter(parameter).locator('input, textarea').first().fill(text);
	}

	async choose(parameter: string, option: string): Promise<void> {
		await this.parameter(parameter).click();
		const options = this.page.locator('.el-select-dropdown__item:visible');
		await options.filter({ has: this.page.getByText(option, { exact: true }) }).click();
	}

	/** Moves a column of the input, step by step as a hand does it. */
	async dragTo(column: string, target: Locator): Promise<void> {
		const { mouse } = this.page;
		await this.input.locator(`[data-target="mappable"][data-name="${column}"]`).hover();
		await mouse.down();
		const area = await target.boundingBox();
		if (area === null) throw new Error(`There is nothing to drag ${column} to.`);
		await mouse.move(area.x + area.width / 2, area.y + area.height / 2, { steps: 8 });
		await mouse.up();
	}

	/**
	 * Presses Tab until a field has the focus.
	 * @returns The names of the fields that had it on the way.
	 */
	async tabTo(parameter: string): Promise<string[]> {
		const passed = new Set<string>();
		for (let presses = 0; presses < mostPresses; presses++) {
			await this.page.keyboard.press('Tab');
			const names = await this.parameterNames(':focus-within');
			if (names.includes(parameter)) return [...passed];
			for (const name of names) passed.add(name);
		}
		throw new Error(`Tab does not lead to ${parameter}, but to ${[...passed].join(', ')}.`);
	}

	/** Presses Tab until a button has the focus. */
	async tabToButton(button: Locator): Promise<void> {
		const focused = button.and(this.page.locator(':focus'));
		for (let presses = 0; presses < mostPresses; presses++) {
			if ((await focused.count()) > 0) return;
			await this.page.keyboard.press('Tab');
		}
		throw new Error('Tab does not lead to the button.');
	}

	/** Titles of the credential selectors. */
	async credentialTitles(): Promise<string[]> {
		const titles = await this.parameters.getByTestId('credentials-label').allTextContents();
		return titles.map((title) => title.trim());
	}

	/** Opens the credential selector and gives the ids that it offers; "new" is the last of them. */
	async offeredCredentials(): Promise<string[]> {
		await this.parameters.getByTestId('node-credentials-select').click();
		const prefix = 'node-credentials-select-item-';
		const items = this.page.locator(`[data-test-id^="${prefix}"]:visible`);
		await items.last().waitFor();
		return (await testIds(items)).map((id) => id.replace(prefix, ''));
	}

	/** Opens the dialog for a new credential. */
	async addCredential(): Promise<void> {
		await this.offeredCredentials();
		await this.page.getByTestId('node-credentials-select-item-new').click();
	}

	/** Opens the dialog of the chosen credential. */
	async editCredential(): Promise<void> {
		await this.parameters.getByTestId('credential-edit-button').click();
	}

	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
	}

	/** Runs what comes before the node. */
	async executePreviousNodes(): Promise<void> {
		await this.input.getByTestId('execute-previous-node').click();
		// One count for each of the nodes.
		await this.input
			.getByText(/^\d+ items?$/)
			.first()
			.waitFor();
	}

	/** Has a trigger wait for an event. */
	async listen(): Promise<void> {
		await this.page.getByTestId('trigger-execute-button').click();
		await this.page.getByTestId('trigger-listening').waitFor();
	}
}
