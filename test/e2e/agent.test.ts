import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import { release } from '../../scripts/localN8n/installation';
import type { WorkflowContent } from '../../scripts/localN8n/types';
import { question } from '../faults';
import { McpClient } from './support/mcpClient';
import { startScriptedModel } from './support/scriptedModel';
import { useTestBed } from './support/testBed';
import { manualTrigger, node, rows, workflow } from './support/workflow';

/**
 * The node as a tool: of n8n's AI Agent with a model that follows a script, of an MCP client, and by
 * itself in the editor; called several times at once.
 */
const bed = useTestBed();

const { nodeVersions } = release;

beforeEach(() => bed().sandbox.reset());

const skip: INodeParameters = { ifReferenceExists: 'skip' };

/** A workflow whose first nodes end in one that has the node "Payment Page" as its tool. */
function withTool(name: string, nodes: INode[], settings: Partial<INode> = {}): WorkflowContent {
	const parameters: INodeParameters = {
		resource: 'paymentPage',
		operation: 'create',
		pageName: "={{ $fromAI('name', 'Name of the page', 'string') }}",
		amount: "={{ $fromAI('amount', 'Amount to pay', 'string') }}",
		options: skip,
	};
	const user = nodes.at(-1)?.name ?? '';
	const pages = node('Pages', 'n8n-nodes-payment-pages.paymentPageTool', parameters, settings);
	const content = workflow(name, nodes);
	content.nodes = [...nodes, pages];
	content.connections['Pages'] = { ai_tool: [[{ node: user, type: 'ai_tool', index: 0 }]] };
	return content;
}

function agent(typeVersion: number): INode {
	return node(
		'Agent',
		'@n8n/n8n-nodes-langchain.agent',
		{ promptType: 'define', text: 'Make the pages.', options: {} },
		{ typeVersion },
	);
}

/** Runs an agent whose model calls the tool in one turn; gives what each call told the model. */
async function runAgent(typeVersion: number, calls: IDataObject[], settings?: Partial<INode>) {
	const model = await startScriptedModel(bed(), calls);
	const nodes = [manualTrigger(), ...rows([{ customer: 'Of the agent' }]), agent(typeVersion)];
	const content = withTool('Agent', nodes, settings);
	content.nodes.push(model.node);
	content.connections['Model'] = {
		ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]],
	};
	const execution = await bed().run(content);
	await model.stop();
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Agent')).toMatchObject([{ output: 'Done.' }]);
	// A tool that fails tells an agent before version 3 nothing at all; that is n8n's own doing.
	return model.results().map((text) => (text === '' ? [] : (JSON.parse(text) as IDataObject[])));
}

function requests(): string[] {
	return bed().sandbox.state.requests.map(({ url }) => (url.includes(question) ? 'ask' : 'create'));
}

const anna = { name: 'Anna', amount: '10' };
const wrongAmount = 'Amount (amount) must be a number such as 49.90, but is "ten"';

describe('an agent of the newest version', () => {
	test('gets a page for each call, and words for each that fails', async () => {
		const results = await runAgent(nodeVersions.agent, [
			anna,
			{ name: 'Bert', amount: 'ten' },
			anna,
			{ name: 'Anna', amount: '11' },
			{ name: 'Carl', amount: '12' },
		]);
		expect(results).toMatchObject([
			[{ id: 1, pageName: 'Anna', amount: 10 }],
			[{ error: wrongAmount }],
			[{ skipped: true, createdByItem: 0, createdByRun: 0 }],
			[
				{
					error: expect.stringMatching(/"anna" exists already, created by item 0 of run 0, with a/),
				},
			],
			[{ id: 2, pageName: 'Carl', amount: 12 }],
		]);
		expect(bed().sandbox.state.pages.size).toBe(2);
	});
});

describe.each([nodeVersions.agent, nodeVersions.agent2])('an agent of version %d', (version) => {
	test('makes one page of two equal calls in one turn', async () => {
		const results = (await runAgent(version, [anna, anna])).flat();
		// Which of the two comes first is open where an agent makes its calls at once.
		expect(results).toHaveLength(2);
		expect(results.filter(({ skipped }) => skipped === true)).toHaveLength(1);
		expect(requests()).toEqual(['ask', 'create']);
	});

	test('makes no second page when Retry On Fail tries a call again whose answer was lost', async () => {
		bed().sandbox.configure({
			faults: [
				{ endpoint: 'create', kind: 'cutAfterStoring', times: 1 },
				{ endpoint: 'validate', kind: 'html', nth: [2] },
			],
		});
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const results = await runAgent(version, [anna], settings);
		expect(results).toMatchObject([[{ pageName: 'Anna', recovered: true }]]);
		expect(requests()).toEqual(['ask', 'create', 'ask', 'ask']);
		expect(bed().sandbox.state.pages.size).toBe(1);
	});
});

test('an MCP client makes one page of two equal calls at one moment, and reads why one fails', async () => {
	const path = 'pages';
	const trigger = node(
		'MCP Server Trigger',
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		{ path },
		{ typeVersion: nodeVersions.mcpTrigger, webhookId: path },
	);
	const { id } = await bed().save(withTool('MCP', [trigger]));
	expect(await bed().client.activate(id)).toMatchObject({ status: 'published' });
	const client = new McpClient(`${bed().n8n.url}/mcp/${path}`);
	await client.connect();
	const calls = [anna, anna, { name: 'Bert', amount: 'ten' }, { name: 'Carl', amount: '12' }];
	const texts = await Promise.all(calls.map((args) => client.callTool('Pages', args)));
	await bed().client.deactivate(id);
	await bed().client.deleteWorkflow(id);
	const [failed] = texts.splice(2, 1);
	expect(failed).toContain(wrongAmount);
	const results = texts.flatMap((text) => JSON.parse(text) as IDataObject[]);
	expect(results.filter(({ skipped }) => skipped === true)).toHaveLength(1);
	const pages = [...bed().sandbox.state.pages.values()].map(({ pageName }) => pageName);
	expect(pages.toSorted()).toEqual(['Anna', 'Carl']);
});

test('the editor runs the tool by itself, also twice at one moment', async () => {
	const { client } = bed();
	const { id } = await bed().save(withTool('Editor', [manualTrigger(), agent(nodeVersions.agent)]));
	/** What the editor sends for "Execute step" of a tool, with the values that a person filled in. */
	const run = async (query: IDataObject) => {
		const executionId = await client.startRun(id, 'Manual Trigger', {
			destinationNode: { nodeName: 'Pages', mode: 'inclusive' },
			// An older n8n takes what was filled in without the name of the tool.
			agentRequest: {
				query: release.runsStoredWorkflow ? { Pages: query } : query,
				tool: { name: 'Pages' },
			},
		});
		return await client.waitForExecution(id, executionId ?? '');
	};
	const [failed, ...done] = await Promise.all([
		run({ name: 'Bert', amount: 'ten' }),
		run(anna),
		run(anna),
	]);
	expect(failed.status).toBe('error');
	expect(failureOf(failed)).toContain(wrongAmount);
	expect(done.map(({ status }) => status)).toEqual(['success', 'success']);
	expect(requests()).toEqual(['ask', 'create', 'ask']);
	expect(bed().sandbox.state.pages.size).toBe(1);
	await client.deleteWorkflow(id);
});
