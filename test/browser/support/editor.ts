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
		await this.page.goto(this.url);
		await this.page.locator('input[name="emailOrLdapLoginId"]').fill(email);
		await this.page.locator('input[name="password"]').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL((url) => url.pathname !== '/signin');
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-wrapper').waitFor();
	}

	/** Leaves the workflow, which counts as being edited for a while otherwise. */
	async leave(): Promise<void> {
		await this.page.goto('about:blank');
	}

	/** Gives the nodes some room on the canvas, which n8n fills with them. */
	async zoomOut(): Promise<void> {
		await this.page.getByTestId('zoom-out-button').click();
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

	/** An entry that the Enter key would choose. */
	activeEntry(name: string): Locator {
		return this.creatorEntry(name).and(this.page.locator('[class*="_active_"]'));
	}

	/** Searches for what could come after a node that has nothing after it yet. */
	async searchAfter(previous: string, text: string): Promise<void> {
		await this.node(previous).getByTestId('canvas-handle-plus').click();
		await this.searchBar.fill(text);
	}

	/** From an empty canvas to the panel of its first node. */
	async addFirst(search: string, node: string, action: string): Promise<void> {
		await this.page.getByTestId('canvas-plus-button').click();
		await this.searchBar.fill(search);
		await this.creatorEntry(node).click();
		await this.creatorEntry(action).click();
		await this.details.parameters.waitFor();
	}

	/** From the canvas to the panel of a new node, which does this if it has actions to choose from. */
	async addAfter(previous: string, node: string, action?: string): Promise<void> {
		await this.searchAfter(previous, node);
		await this.creatorEntry(node).click();
		if (action !== undefined) await this.creatorEntry(action).click();
		await this.details.parameters.waitFor();
	}

	/** Publishes what was changed in a published workflow, and waits until nothing is left to publish. */
	async publishChanges(): Promise<void> {
		const button = this.page.getByTestId('workflow-open-publish-modal-button');
		await button.click();
		await this.page.getByTestId('workflow-publish-button').click();
		await this.page.getByTestId('workflow-publish-button').waitFor({ state: 'hidden' });
		await button.and(this.page.locator(':disabled')).waitFor();
	}

	/** Publishes the workflow for the first time and puts away what n8n says about it. */
	async publish(): Promise<void> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		const published = this.page.getByRole('dialog').filter({ hasText: 'Workflow published' });
		await published.getByRole('button', { name: 'Got it' }).click();
		await published.waitFor({ state: 'hidden' });
	}

	/** Shows the newest execution of the workflow once so many have succeeded. */
	async openNewestExecution(count: number): Promise<void> {
		await this.page.getByTestId('radio-button-executions').click();
		const list = this.page.getByTestId('executions-sidebar');
		const succeeded = list.locator('[data-test-execution-status="success"]');
		await succeeded.nth(count - 1).waitFor();
		await succeeded.first().click();
	}

	/** Runs the workflow that is on the canvas. */
	async execute(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
	}
}
