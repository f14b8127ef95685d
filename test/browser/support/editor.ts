import type { Locator, Page } from 'playwright-core';
import type { Owner } from '../../../scripts/localN8n/types';
import { NodeDetails } from './nodeDetails';
import { type PictureOptions, takePicture } from './pictures';

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
		await this.page.goto(this.url);
		await this.page.locator('input[name="emailOrLdapLoginId"]').fill(email);
		await this.page.locator('input[name="password"]').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL((url) => url.pathname !== '/signin');
	}

	/** Goes to another of n8n's pages without loading all of n8n again, as a link in n8n does. */
	private async goTo(address: string): Promise<void> {
		await this.page.evaluate(`history.pushState({}, '', '${address}')`);
		await this.page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
	}

	/** Opens a workflow, on a new canvas. */
	async openWorkflow(id: string): Promise<void> {
		const canvas = this.page.getByTestId('canvas-wrapper');
		await this.goTo('/home/workflows');
		await canvas.waitFor({ state: 'detached' });
		await this.goTo(`/workflow/${id}`);
		await canvas.waitFor();
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** What the canvas shows of a node that ran without a failure. */
	succeeded(name: string): Locator {
		return this.node(name).getByTestId('canvas-node-status-success');
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

	/** From what was found to the panel of a new node, which does this if there are actions to choose from. */
	async addFound(node: string, action?: string): Promise<void> {
		await this.creatorEntry(node).click();
		if (action !== undefined) await this.creatorEntry(action).click();
		await this.details.parameters.waitFor();
	}

	/** Runs the workflow that is on the canvas. */
	async execute(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
	}

	/** Takes a picture of some nodes, with room around them on the canvas, which n8n fills with them. */
	async takePicture(name: string, nodes: string[], options: PictureOptions): Promise<void> {
		await this.page.getByTestId('zoom-out-button').click();
		const parts = nodes.map((each) => this.node(each));
		await takePicture(this.page, name, { parts, ...options });
	}
}
