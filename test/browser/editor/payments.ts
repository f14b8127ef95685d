import type { Page } from 'playwright-core';
import { readExample } from '../../../scripts/localN8n/examples';
import { waitFor } from '../../../scripts/shared/waitFor';
import { triggerName, triggerNode } from '../../e2e/support/triggerWorkflow';
import { workflow } from '../../e2e/support/workflow';
import { addPageToPay } from '../support/payablePage';
import { takePicture } from '../support/pictures';
import type { Stage } from '../support/stage';

/** Does what a payer does on the open page. */
async function pay(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Pay' }).click();
	await page.getByText('paid', { exact: false }).first().waitFor();
}

/** Payments that a person makes in the browser in which the workflow is open. */
export function testPayments(stage: () => Stage): void {
	test('arrives in the node while it listens for a test event', async () => {
		const { details, editor, open, openTab, sandbox } = stage();
		await addPageToPay(sandbox, {
			pageName: 'Invoice 2026-17',
			paymentPageLinkReference: 'invoice-2026-17',
			amount: 149.5,
		});
		await open(workflow('When a page is paid', [triggerNode()]));
		await editor.publish();
		await waitFor(() => sandbox.state.registration !== null, { what: 'the registration' });
		await editor.openNode(triggerName);
		await details.listen();
		await pay(await openTab(`${sandbox.url}/pay/invoice-2026-17`));
		await editor.page.bringToFront();
		await details.output.getByText('invoice-2026-17').first().waitFor();
		await details.show(details.output, 'Schema');
		await details.fold('headers');
		await details.output.getByText('verifiedBy').waitFor();
		await takePicture(editor.page, 'trigger-payment', { parts: [details.window] });
	});

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
		await editor.succeeded('Confirm place').waitFor();
		const parts = nodes.map(({ name }) => editor.node(name));
		await editor.zoomOut();
		await takePicture(editor.page, 'wait-for-payment', { parts, space: 100 });
		await editor.openNode('Confirm place');
		await details.output.getByText('Place reserved: Deposit for the workshop, 120 paid').waitFor();
	});
}
