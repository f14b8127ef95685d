import type { Locator, Page } from 'playwright-core';

/** The dialog in which a person fills in a credential, and n8n tests it. */
export class CredentialDialog {
	constructor(private readonly page: Page) {}

	get root(): Locator {
		return this.page.getByTestId('editCredential-modal');
	}

	async fill(field: string, text: string): Promise<void> {
		await this.root.getByTestId(`parameter-input-${field}`).locator('input').fill(text);
	}

	async save(): Promise<void> {
		await this.root.getByTestId('credential-save-button').click();
	}

	async close(): Promise<void> {
		await this.root.getByRole('button', { name: 'Close' }).click();
		await this.root.waitFor({ state: 'hidden' });
	}
}
