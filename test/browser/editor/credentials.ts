import { manualTrigger, workflow } from '../../e2e/support/workflow';
import { CredentialDialog } from '../support/credentialDialog';
import { takePicture } from '../support/pictures';
import type { Stage } from '../support/stage';

/** What a person sees of a credential until it works. */
export function testCredentials(stage: () => Stage): void {
	let existing: string[];

	beforeEach(async () => {
		existing = (await stage().client.listCredentials()).map(({ id }) => id);
	});

	afterEach(async () => {
		const { client } = stage();
		const added = (await client.listCredentials()).filter(({ id }) => !existing.includes(id));
		for (const { id } of added) await client.deleteCredential(id);
	});

	test('is red until its key is the right one, and then makes a page', async () => {
		const { details, editor, open, sandbox } = stage();
		await open(workflow('A first page', [manualTrigger()]));
		await editor.addAction('Manual Trigger', 'Payment Page', 'Create payment page');
		await details.addCredential();
		const dialog = new CredentialDialog(editor.page);
		await dialog.fill('baseUrl', sandbox.baseUrl);
		await dialog.fill('merchantId', sandbox.settings.merchantId);
		// The other key of the merchant: what people mistake for it.
		await dialog.fill('privateKey', sandbox.settings.apiKey);
		await dialog.save();
		await dialog.root.getByText('More details').click();
		await dialog.root.getByText(/HTTP 401.*private key/).waitFor();
		await takePicture(editor.page, 'credential-rejected', { parts: [dialog.root], space: -2 });

		await dialog.fill('privateKey', sandbox.settings.privateKey);
		await dialog.save();
		// n8n closes the dialog of a credential that works.
		await dialog.root.waitFor({ state: 'hidden' });
		await details.editCredential();
		await dialog.root.getByText('Connection tested successfully').waitFor();
		await takePicture(editor.page, 'credential-accepted', { parts: [dialog.root], space: -2 });

		await dialog.close();
		await details.fill('pageName', 'Deposit');
		await details.fill('amount', '20');
		await details.execute();
		await details.output.getByText(`${sandbox.url}/pay/deposit`).waitFor();
		expect(sandbox.state.pages.size).toBe(1);
	});
}
