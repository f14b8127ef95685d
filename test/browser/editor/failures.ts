import type { INode } from 'n8n-workflow';
import { manualTrigger, paymentPage, rows, setField, workflow } from '../../e2e/support/workflow';
import { lowSize } from '../support/browser';
import { takePicture } from '../support/pictures';
import type { Stage } from '../support/stage';

/** Four invoices; nobody can know how much the third one is. */
const invoices = [
	{ customer: 'Amelia Hart', invoice: 'inv-2026-0101', amount: '1249.50' },
	{ customer: 'Jürgen Müller', invoice: 'inv-2026-0102', amount: '890.00' },
	{ customer: 'Chloé Lefèvre', invoice: 'inv-2026-0103', amount: '1.250' },
	{ customer: "Thomas O'Brien", invoice: 'inv-2026-0104', amount: '75.25' },
];

function createPages(more: Partial<INode>): INode {
	const parameters = {
		operation: 'create',
		pageName: '=Invoice for {{ $json.customer }}',
		amount: '={{ $json.amount }}',
		paymentPageLinkReference: '={{ $json.invoice }}',
	};
	return paymentPage(parameters, { name: 'Create pages', ...more });
}

/** Nodes in a row, from left to right. */
function inARow(nodes: INode[]): INode[] {
	return nodes.map((each, index) => ({ ...each, position: [index * 220, 0] }));
}

/** What a person sees of an item that can't become a page. */
export function testFailures(stage: () => Stage): void {
	test('says what is wrong with it and what to do, and sends nothing', async () => {
		const { details, editor, open, sandbox } = stage();
		const nodes = inARow([manualTrigger(), ...rows(invoices), createPages({})]);
		await open(workflow('Pages for invoices', nodes));
		await editor.openNode('Create pages');
		await details.execute();
		await details.output.getByTestId('node-error-message').waitFor();
		await details.show(details.input, 'Table');
		expect(await details.output.getByTestId('node-error-message').textContent()).toMatch(
			/'Amount'.*1\.250.*1250 or 1\.25/,
		);
		await details.output.getByTestId('node-error-description').getByText('ow 3 of 4').waitFor();
		expect(sandbox.state.pages.size).toBe(0);
		await editor.page.setViewportSize(lowSize);
		await details.parameter('paymentPageLinkReference').scrollIntoViewIfNeeded();
		await takePicture(editor.page, 'failed-item', {
			parts: [details.window],
			space: -2,
			hovered: details.input.getByText('1.250', { exact: true }),
		});
	});

	test('takes the second branch, and the others the first', async () => {
		const { details, editor, open, sandbox } = stage();
		const nodes: INode[] = [
			...inARow([
				manualTrigger(),
				...rows(invoices),
				createPages({ onError: 'continueErrorOutput' }),
			]),
			{ ...setField('Send link', 'link', '={{ $json.paymentPageLink }}'), position: [900, -110] },
			{ ...setField('Tell sales', 'reason', '={{ $json.error }}'), position: [900, 110] },
		];
		const content = workflow('Pages for invoices', nodes, {
			'Create pages': ['Send link', 'Tell sales'],
		});
		await open(content);
		await editor.execute();
		await editor.succeeded('Tell sales').waitFor();
		const shown = ['Create pages', 'Send link', 'Tell sales'];
		const parts = shown.map((name) => editor.node(name));
		await editor.zoomOut();
		await takePicture(editor.page, 'error-output', { parts, space: 60 });

		await editor.openNode('Tell sales');
		await details.show(details.output, 'Table');
		await details.output.getByText('Chloé Lefèvre').waitFor();
		await details.output
			.getByText(/1250 or 1\.25/)
			.first()
			.waitFor();
		await details.output.getByText('1 item', { exact: true }).waitFor();
		await details.close();
		await editor.openNode('Send link');
		await details.output.getByText('3 items', { exact: true }).waitFor();
		const references = [...sandbox.state.pages.values()].map(
			({ paymentPageLinkReference }) => paymentPageLinkReference,
		);
		expect(references.toSorted()).toEqual(['inv-2026-0101', 'inv-2026-0102', 'inv-2026-0104']);
	});
}
