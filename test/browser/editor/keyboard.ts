import { manualTrigger, workflow } from '../../e2e/support/workflow';
import type { Stage } from '../support/stage';

/** What people do who use no mouse. */
export function testKeyboard(stage: () => Stage): void {
	test('adds the node, fills in its fields from top to bottom and runs it', async () => {
		const { details, editor, open, sandbox } = stage();
		const { keyboard } = editor.page;
		await open(workflow('By keyboard', [manualTrigger()]));
		await editor.node('Manual Trigger').waitFor();
		await keyboard.press('ControlOrMeta+a');
		await keyboard.press('n');
		await editor.searchBar.waitFor();
		await keyboard.type('payment link');
		await editor.activeEntry('Payment Page').waitFor();
		await keyboard.press('Enter');
		await editor.activeEntry('Create payment page').waitFor();
		await keyboard.press('Enter');
		await details.parameters.waitFor();

		expect(await details.tabTo('pageName')).toEqual(['resource', 'operation', 'mappingMode']);
		await keyboard.type('Deposit for the workshop');
		expect(await details.tabTo('amount')).toEqual([]);
		await keyboard.type('120.50');
		expect(await details.tabTo('paymentPageLinkReference')).toEqual(['isFixedAmount']);
		await keyboard.type('workshop-deposit');
		await details.tabToButton(details.output.getByRole('button', { name: 'Execute step' }));
		await keyboard.press('Enter');
		await details.output.getByText(`${sandbox.url}/pay/workshop-deposit`).waitFor();
		expect([...sandbox.state.pages.values()]).toMatchObject([
			{ pageName: 'Deposit for the workshop', amount: 120.5 },
		]);
	});
}
