import type { Locator, Page } from 'playwright-core';

/** More than all that can have the focus in an open node. */
const mostPresses = 80;

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
	async show(data: Locator, view: 'Schema' | 'Table'): Promise<void> {
		await data.getByRole('radio', { name: view }).click();
	}

	parameter(name: string): Locator {
		return this.parameters.getByTestId(`parameter-input-${name}`);
	}

	/** Names of the parameters that can be seen, or that have the focus, from top to bottom. */
	async parameterNames(state: ':visible' | ':focus-within' = ':visible'): Promise<string[]> {
		const prefix = 'parameter-input-';
		const found = await this.parameters.locator(`[data-test-id^="${prefix}"]${state}`).all();
		const ids = await Promise.all(found.map((each) => each.getAttribute('data-test-id')));
		const names = ids.map((id) => String(id).replace(prefix, ''));
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
	 * Presses Tab until the focus is in the target.
	 * @returns The names of the fields that had it on the way.
	 */
	async tabTo(target: Locator): Promise<string[]> {
		const reached = target.and(this.page.locator(':focus-within'));
		const passed = new Set<string>();
		for (let presses = 0; presses < mostPresses; presses++) {
			await this.page.keyboard.press('Tab');
			if ((await reached.count()) > 0) return [...passed];
			for (const name of await this.parameterNames(':focus-within')) passed.add(name);
		}
		throw new Error(`Tab does not lead there, but to ${[...passed].join(', ')}.`);
	}

	/** Titles of the credential selectors. */
	async credentialTitles(): Promise<string[]> {
		const titles = await this.parameters.getByTestId('credentials-label').allTextContents();
		return titles.map((title) => title.trim());
	}

	/** Opens the credential selector; gives what it offers, "new" for the last of them. */
	async openCredentials(): Promise<Locator> {
		await this.parameters.getByTestId('node-credentials-select').click();
		const items = this.page.locator('[data-test-id^="node-credentials-select-item-"]:visible');
		await items.last().waitFor();
		return items;
	}

	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
	}
}
