import type { Page } from 'playwright-core';
import { readExample } from '../../../scripts/localN8n/examples';
import { takePicture } from '../support/pictures';
import type { Stage } from '../support/stage';

/** Does what a payer does on the open page. */
async function pay(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByText('paid', { exact: false }).first().waitFor();
}

/** Payments that a person makes in the browser in which the workflow is open. */
export function testPayments(stage: () => Stage): void {
	test('lets the workflow that waits for it go on', async () => {
		const { details, editor, open, openTab, sandbox } = stage();
		const example = await readExample('wait-for-payment');
		// Without the note, the nodes fill the canvas.
		const nodes = example.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		await open({ ...example, nodes });
		await editor.execute();
		await editor.waiting('Wait for payment').waitFor();
		const [page] = sandbox.state.pages.values();
		await pay(await openTab(page?.paymentPageLink ?? ''));
		await editor.page.bringToFront();
		await editor.succeeded('Payment claimed').waitFor();
		const parts = nodes.map(({ name }) => editor.node(name));
		await editor.zoomOut();
		await takePicture(editor.page, 'wait-for-payment', { parts, space: 100 });
		await editor.openNode('Payment claimed');
		await details.output
			.getByText('Payment claimed, not confirmed: Deposit for the workshop')
			.waitFor();
	});
}
