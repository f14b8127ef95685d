import { exampleFiles, readExample } from '../../scripts/localN8n/examples';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import type { WorkflowContent } from '../../scripts/localN8n/types';
import { waitFor } from '../../scripts/shared/waitFor';
import { addPage } from '../support/service';
import { useSharedBed } from './support/bed';
import { useMailServer } from './support/mailServer';
import { startScriptedModel } from './support/scriptedModel';
import { assigned, changedNodes, rows } from './support/workflow';

/** The examples without a data table, which older n8n run, too; `waitForPayment` has another one. */
const bed = useSharedBed();
const mailServer = useMailServer();

test.each(exampleFiles)('%s can be imported', async (file) => {
	const example = await readExample(file);
	const { id, nodes } = await bed().save(example);
	expect(nodes).toHaveLength(example.nodes.length);
	await bed().client.deleteWorkflow(id);
});

test('a payment becomes a message to the shop', async () => {
	const { client, sandbox } = bed();
	const example = await readExample('payment-then-message');
	const { id } = await bed().save(await mailServer.sendingHere(client, example));
	expect(await client.activate(id)).toMatchObject({ status: 'published' });
	await addPage(sandbox, 'test-inv-7', { pageName: 'Page', amount: 120, isTestMode: true });
	await sandbox.pay('test-inv-7');
	const mail = await waitFor(() => mailServer.takeMails()[0], { what: 'the message' });
	expect(mail).toEqual({
		to: 'office@harbourlight.example',
		subject: 'Test payment received: test-inv-7',
		text: expect.stringContaining('Page: test-inv-7\nAmount: 120\nMode: test'),
	});
	await client.deactivate(id);
});

test('an agent makes the page that it is asked for', async () => {
	const { client, sandbox } = bed();
	const args = { pageName: 'Team portraits', amount: '312.50', invoiceNumber: 'inv-2026-0142' };
	const model = await startScriptedModel(bed(), [[{ args }]]);
	const example = changedNodes(await readExample('agent-tool'), {
		Model: ({ id, position }) => ({ ...model.node, id, position }),
		// Nobody types into a chat here.
		'When chat message received': () => ({
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			parameters: {},
		}),
		Agent: ({ parameters }) => ({
			parameters: { ...parameters, promptType: 'define', text: 'A page for the portraits.' },
		}),
	});
	const { id } = await bed().save(example);
	expect((await client.run(id, 'When chat message received')).status).toBe('success');
	expect(model.results()[0]).toMatchObject([
		{ pageName: 'Team portraits', paymentPageLink: `${sandbox.url}/pay/test-inv-2026-0142` },
	]);
	expect([...sandbox.state.pages.values()].at(-1)).toMatchObject({
		amount: 312.5,
		isFixedAmount: true,
		isTestMode: true,
	});
});

/** In the place of Google: a node that gives rows, and one that keeps what would be written. */
function withoutGoogle(example: WorkflowContent, [list, split]: ReturnType<typeof rows>) {
	if (!list || !split) throw new Error('There are no rows.');
	const content = changedNodes(example, {
		'Rows of the sheet': ({ id, name, position }) => ({ ...split, id, name, position }),
		'Save link in the sheet': ({ parameters }) => {
			const { value } = parameters['columns'] as unknown as { value: Record<string, string> };
			return { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: assigned(value) };
		},
	});
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	const connections = { Settings: to('List'), List: to('Rows of the sheet') };
	return {
		...content,
		nodes: [...content.nodes, list],
		connections: { ...content.connections, ...connections },
	};
}

test('a Google Sheet is asked for its rows; each becomes a page whose link is written back', async () => {
	const { client, sandbox } = bed();
	const example = await readExample('create-pages-from-google-sheets');
	const { id } = await bed().save(example);
	// Older n8n do not even start a workflow without the sheet.
	const failure = await client.run(id).then(failureOf, String);
	expect(failure).toMatch(/Rows of the sheet|workflow has issues/);
	await client.deleteWorkflow(id);

	const sheet = [
		{ reference: 'sheet-1', customerName: 'Anna', description: 'Portraits', amount: 312.5 },
		{ reference: '', customerName: '', description: '', amount: '' },
		{ reference: 'sheet-2', customerName: 'Bert', description: 'Catalogue', amount: '49,90' },
	];
	const execution = await bed().run(withoutGoogle(example, rows(sheet)));
	expect(execution.status).toBe('success');
	const saved = ['sheet-1', 'sheet-2'].map((reference) => ({
		reference,
		pageReference: `test-${reference}`,
		paymentPageId: expect.stringMatching(/^\d+$/),
		paymentPageLink: `${sandbox.url}/pay/test-${reference}`,
	}));
	expect(runJson(execution, 'Save link in the sheet')).toEqual(saved);
});
