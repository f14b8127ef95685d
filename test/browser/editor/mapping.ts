import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { crmFile, crmTable, readExample } from '../../../scripts/localN8n/examples';
import { manualTrigger, node, paymentPage, rows, workflow } from '../../e2e/support/workflow';
import { lowSize } from '../support/browser';
import { takePicture } from '../support/pictures';
import type { Stage } from '../support/stage';

const invoices = [
	{ reference: 'inv-2026-0111', title: 'Team portraits', amount: 312 },
	{ reference: 'inv-2026-0118', title: 'Headshots', amount: 260 },
	{ reference: 'inv-2026-0124', title: 'Workshop seat', amount: 150 },
	{ reference: 'inv-2026-0126', title: 'Aurora brochure', amount: 990 },
];

function dataTable(name: string): INodeParameters {
	return {
		resource: 'row',
		operation: 'get',
		dataTableId: { __rl: true, mode: 'name', value: name },
		returnAll: true,
	};
}

/** How the columns of a table become the fields of pages. */
export function testMapping(stage: () => Stage): void {
	test('become pages once their columns were dragged onto the fields', async () => {
		const { details, editor, open, sandbox } = stage();
		const create = paymentPage({ operation: 'create' }, { name: 'Create pages' });
		await open(workflow('Pages for invoices', [manualTrigger(), ...rows(invoices), create]));
		await editor.openNode('Create pages');
		await details.executePreviousNodes();
		for (const [column, parameter, preview] of [
			['title', 'pageName', 'Team portraits'],
			['amount', 'amount', '312'],
			['reference', 'paymentPageLinkReference', 'inv-2026-0111'],
		] as const) {
			await details.drag(column, parameter);
			// n8n has taken the column over once it shows its value; who runs it sooner runs it without.
			await details.parameters.getByText(preview, { exact: true }).waitFor();
		}
		await details.execute();
		await details.output.getByText('4 items', { exact: true }).waitFor();
		await details.show(details.input, 'Table');
		await details.output.getByText(`${sandbox.url}/pay/inv-2026-0111`).waitFor();
		await editor.page.setViewportSize(lowSize);
		await details.parameter('isFixedAmount').scrollIntoViewIfNeeded();
		await takePicture(editor.page, 'mapped-list', { parts: [details.window], space: -2 });
		// Five at a time, so the service may get a later row first.
		const pages = [...sandbox.state.pages.values()].map(
			({ paymentPageLinkReference, pageName, amount, isFixedAmount }) =>
				`${paymentPageLinkReference}: ${pageName}, ${amount}, ${isFixedAmount}`,
		);
		expect(pages.toSorted()).toEqual(
			invoices.map(({ reference, title, amount }) => `${reference}: ${title}, ${amount}, true`),
		);
	});

	test('become pages in the example, and their links stand in the rows', async () => {
		const { details, editor, open, tables } = stage();
		await tables.replaceFromCsv(crmTable, crmFile);
		const example = await readExample('create-pages-from-crm');
		// Without the note, the nodes fill the canvas.
		const nodes = example.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		await open({ ...example, nodes });
		await editor.execute();
		await editor.succeeded('Save link in CRM').waitFor();
		const parts = nodes.map(({ name }) => editor.node(name));
		await editor.zoomOut();
		await takePicture(editor.page, 'main-example', { parts, space: 60, dark: true });
		await editor.openNode('Save link in CRM');
		await details.output.getByText('28 items', { exact: true }).waitFor();
	});

	test('become pages by themselves when their columns have the names of the fields', async () => {
		const { details, editor, open, sandbox, tables } = stage();
		await tables.replaceFromCsv('Invoices', path.join(__dirname, 'invoices.csv'));
		const more = { typeVersion: 1.1, position: [220, 0] as [number, number] };
		await open(
			workflow('Payment pages for invoices', [
				manualTrigger(),
				node('Invoices', 'n8n-nodes-base.dataTable', dataTable('Invoices'), more),
				paymentPage({ operation: 'create' }, { name: 'Create pages', position: [440, 0] }),
			]),
		);
		await editor.openNode('Create pages');
		await details.executePreviousNodes();
		await details.choose('mappingMode', 'Map Automatically');
		await details.parameter('pageName').waitFor({ state: 'hidden' });
		await details.execute();
		await details.output.getByText('3 items', { exact: true }).waitFor();
		const pages = [...sandbox.state.pages.values()].map(
			({ pageName, amount, paymentPageLinkReference }) =>
				`${paymentPageLinkReference}: ${pageName}, ${amount}`,
		);
		expect(pages.toSorted()).toEqual([
			'ete: Été à la mer, 1249.9',
			'menu: Menu photographs, 318.7',
			'spring: Spring campaign, 980.5',
		]);
	});
}
