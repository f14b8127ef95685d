import type { INode } from 'n8n-workflow';
import { exampleFiles, readExample } from '../../scripts/localN8n/examples';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import { waitFor } from '../../scripts/shared/waitFor';
import { MailServer } from './support/mailServer';
import { withCredential } from './support/otherServices';
import { startScriptedModel } from './support/scriptedModel';
import { useTestBed } from './support/testBed';
import { rows } from './support/workflow';

/** The examples without a data table, which older n8n run, too; `waitForPayment` has another one. */
const bed = useTestBed();
const mailServer = new MailServer();

beforeAll(() => mailServer.start());
afterAll(() => mailServer.stop());

test.each(exampleFiles)('%s can be imported', async (file) => {
	const example = await readExample(file);
	const { id, nodes } = await bed().save(example);
	expect(nodes).toHaveLength(example.nodes.length);
	await bed().client.deleteWorkflow(id);
});

test('a payment becomes a message to the shop', async () => {
	const { client, sandbox } = bed();
	const smtp = await client.createCredential({
		name: 'Mail server',
		type: 'smtp',
		data: { host: '127.0.0.1', port: mailServer.port, secure: false, disableStartTls: true },
	});
	const example = await readExample('payment-then-message');
	const nodes = example.nodes.map(
		(node): INode =>
			node.type === 'n8n-nodes-base.emailSend' ? { ...node, ...withCredential(smtp) } : node,
	);
	const { id } = await bed().save({ ...example, nodes });
	expect(await client.activate(id)).toMatchObject({ status: 'published' });
	await bed().run(await pageOf('test-inv-7'));
	await sandbox.pay('test-inv-7');
	const mail = await waitFor(() => mailServer.takeMails()[0], { what: 'the message' });
	expect(mail).toEqual({
		to: 'office@harbourlight.example',
		subject: 'Test payment received: test-inv-7',
		text: expect.stringContaining('Page: test-inv-7\nAmount: 120\nMode: test'),
	});
	await client.deactivate(id);
});

/** The page of another example alone, with this reference. */
async function pageOf(reference: string) {
	const example = await readExample('wait-for-payment');
	const nodes = example.nodes.map((node): INode => {
		if (node.name !== 'Create page') return node;
		const changes = { paymentPageLinkReference: reference, optionalFields: { isTestMode: true } };
		return { ...node, parameters: { ...node.parameters, ...changes } };
	});
	return {
		...example,
		nodes,
		connections: { 'Manual Trigger': example.connections['Manual Trigger'] ?? {} },
	};
}

test('an agent makes the page that it is asked for', async () => {
	const { client, sandbox } = bed();
	const args = { pageName: 'Team portraits', amount: '312.50', invoiceNumber: 'inv-2026-0142' };
	const model = await startScriptedModel(bed(), [[{ args }]]);
	const example = await readExample('agent-tool');
	const nodes = example.nodes.map((node): INode => {
		if (node.name === 'Model') return { ...model.node, id: node.id, position: node.position };
		// Nobody types into a chat here.
		if (node.name === 'When chat message received') {
			return { ...node, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
		}
		if (node.name !== 'Agent') return node;
		return {
			...node,
			parameters: { ...node.parameters, promptType: 'define', text: 'A page for the portraits.' },
		};
	});
	const { id } = await bed().save({ ...example, nodes });
	const execution = await client.run(id, 'When chat message received');
	expect(execution.status).toBe('success');
	expect(JSON.parse(model.results()[0] ?? '')).toMatchObject([
		{ pageName: 'Team portraits', paymentPageLink: `${sandbox.url}/pay/test-inv-2026-0142` },
	]);
	expect([...sandbox.state.pages.values()].at(-1)).toMatchObject({
		amount: 312.5,
		isFixedAmount: true,
		isTestMode: true,
	});
	await model.stop();
	await client.deleteWorkflow(id);
});

test('a Google Sheet is asked for its rows; each becomes a page whose link is written back', async () => {
	const { client, sandbox } = bed();
	const example = await readExample('create-pages-from-google-sheets');
	const { id } = await bed().save(example);
	// Older n8n do not even start a workflow without the sheet.
	const failure = await client.run(id).then(failureOf, String);
	expect(failure).toMatch(/Rows of the sheet|workflow has issues/);
	await client.deleteWorkflow(id);

	// In the place of Google: a node that gives rows, and one that keeps what would be written.
	const sheet = [
		{ reference: 'sheet-1', customerName: 'Anna', description: 'Portraits', amount: 312.5 },
		{ reference: '', customerName: '', description: '', amount: '' },
		{ reference: 'sheet-2', customerName: 'Bert', description: 'Catalogue', amount: '49,90' },
	];
	const [list, split] = rows(sheet);
	const nodes = example.nodes.map((node): INode => {
		const { id: nodeId, name, position } = node;
		if (name === 'Rows of the sheet' && split) return { ...split, id: nodeId, name, position };
		if (name !== 'Save link in the sheet') return node;
		const { value } = node.parameters['columns'] as unknown as { value: Record<string, string> };
		const assignments = Object.entries(value).map(([column, expression]) => ({
			id: column,
			name: column,
			value: expression,
			type: 'string',
		}));
		const parameters = { assignments: { assignments }, options: {} };
		return { ...node, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
	});
	const execution = await bed().run({
		...example,
		nodes: [...nodes, ...(list ? [list] : [])],
		connections: {
			...example.connections,
			Settings: { main: [[{ node: 'List', type: 'main', index: 0 }]] },
			List: { main: [[{ node: 'Rows of the sheet', type: 'main', index: 0 }]] },
		},
	});
	expect(execution.status).toBe('success');
	const saved = ['sheet-1', 'sheet-2'].map((reference) => ({
		reference,
		pageReference: `test-${reference}`,
		paymentPageId: expect.stringMatching(/^\d+$/),
		paymentPageLink: `${sandbox.url}/pay/test-${reference}`,
	}));
	expect(runJson(execution, 'Save link in the sheet')).toEqual(saved);
});
