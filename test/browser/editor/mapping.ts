import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { crmFile, crmTable, readExample } from '../../../scripts/localN8n/examples';
import type { WorkflowContent } from '../../../scripts/localN8n/types';
import { manualTrigger, node, paymentPage, workflow } from '../../e2e/support/workflow';
import { takePicture } from '../support/pictures';
import type { Stage } from '../support/stage';

/** The rows of a data table that have a customer, as an example has them, and a node to make pages. */
async function crmWorkflow(parameters: INodeParameters): Promise<WorkflowContent> {
	const { nodes } = await readExample('create-pages-from-crm');
	const before = ['Manual Trigger', 'CRM rows', 'Rows with a customer'];
	return workflow('Payment pages for the CRM', [
		...nodes.filter(({ name }) => before.includes(name)),
		paymentPage(parameters, { name: 'Create pages', position: [660, 0] }),
	]);
}

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
		const { details, editor, open, sandbox, tables } = stage();
		await tables.replaceFromCsv(crmTable, crmFile);
		await open(await crmWorkflow({ operation: 'create' }));
		await editor.openNode('Create pages');
		await details.executePreviousNodes();
		for (const [column, parameter, preview] of [
			['description', 'pageName', 'Website redesign first instalment'],
			['amount', 'amount', '1249.5'],
			['reference', 'paymentPageLinkReference', 'inv-2026-0101'],
		] as const) {
			await details.drag(column, parameter);
			// n8n has taken the column over once it shows its value; who runs it sooner runs it without.
			await details.parameters.getByText(preview, { exact: true }).waitFor();
		}
		await details.execute();
		await details.output.getByText('28 items', { exact: true }).waitFor();
		await details.show(details.output, 'Table');
		await details.output.getByText(`${sandbox.url}/pay/inv-2026-0101`).waitFor();
		// Five at a time, so the service may get a later row first.
		const page = [...sandbox.state.pages.values()].find(({ pageName }) =>
			pageName?.startsWith('Wartungsvertrag'),
		);
		expect(page).toMatchObject({ amount: 890, paymentPageLinkReference: 'inv-2026-0102' });
		expect(sandbox.state.pages.size).toBe(28);
		await details.show(details.input, 'Table');
		// All fields of the first page, its link among them.
		await details.show(details.output, 'Schema');
		await takePicture(editor.page, 'mapped-list', { parts: [details.window] });
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
