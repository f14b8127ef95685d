import type { Locator, Page } from 'playwright-core';
import type { Owner } from '../../../scripts/localN8n/types';
import { NodeDetails } from './nodeDetails';

/** n8n's editor, as far as a person needs it to add a node, open it and run the workflow. */
export class Editor {
	readonly details: NodeDetails;

	constructor(
		readonly page: Page,
		private readonly url: string,
	) {
		this.details = new NodeDetails(page);
	}

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

	/** What the canvas shows of a node that ran without a failure. */
	succeeded(name: string): Locator {
		return this.node(name).getByTestId('canvas-node-status-success');
	}

	/** What the canvas shows of a node that waits. */
	waiting(name: string): Locator {
		return this.node(name).locator('[class*="waiting"]').first();
	}

	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.details.parameters.waitFor();
	}

	/** Where one enters which node to add. */
	get searchBar(): Locator {
		return this.page.getByTestId('node-creator-search-bar');
	}

	/** An entry of the node creator: a node, or one of its actions. */
	creatorEntry(name: string): Locator {
		return this.page
			.getByTestId('item-iterator-item')
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** Searches for what could come after a node that has nothing after it yet. */
	async searchAfter(previous: string, text: string): Promise<void> {
		await this.node(previous).getByTestId('canvas-handle-plus').click();
		await this.searchBar.fill(text);
	}

	/** From the canvas to the panel of a new node that does this. */
	async addAction(previous: string, node: string, action: string): Promise<void> {
		await this.searchAfter(previous, node);
		await this.creatorEntry(node).click();
		await this.creatorEntry(action).click();
		await this.details.parameters.waitFor();
	}

	/** Runs the workflow that is on the canvas. */
	async execute(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
	}
}
