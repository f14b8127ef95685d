import type { IDataObject, INode } from 'n8n-workflow';
import { failureOf } from '../../scripts/localN8n/execution';
import { release } from '../../scripts/localN8n/installation';
import { question } from '../faults';
import { agent, createTool, resultsOf, runAgent, tool, withTools } from './support/agent';
import { McpClient } from './support/mcpClient';
import type { ToolCall } from './support/scriptedModel';
import { useSharedBed } from './support/sharedBed';
import { registrations } from './support/triggerWorkflow';
import { manualTrigger, node } from './support/workflow';

/**
 * The node as a tool: of n8n's AI Agent with a model that follows a script, of an MCP client, and by
 * itself in the editor; called several times at once.
 */
const bed = useSharedBed({ webhookSecret: 'a secret of the test' });

const { nodeVersions } = release;

beforeEach(() => bed().sandbox.reset());

/** What one turn gave in which the model calls its only tool several times. */
async function runCalls(version: number, calls: IDataObject[], settings?: Partial<INode>) {
	const turn = calls.map((args) => ({ args }));
	return resultsOf(await runAgent(bed(), version, [turn], [createTool(settings)]));
}

function requests(): string[] {
	return bed().sandbox.state.requests.map(({ url }) => (url.includes(question) ? 'ask' : 'create'));
}

const anna = { name: 'Anna', amount: '10' };
const wrongAmount = '\'Amount\' must be a number such as 49.90, but is "ten"';

describe('an agent of the newest version', () => {
	test('gets a page for each call, and words for each that fails', async () => {
		const results = await runCalls(nodeVersions.agent, [
			anna,
			{ name: 'Bert', amount: 'ten' },
			anna,
			{ name: 'Carl', amount: '12' },
		]);
		expect(results).toMatchObject([
			[{ id: 1, pageName: 'Anna', amount: 10 }],
			[{ error: wrongAmount }],
			[{ skipped: true, exists: true, paymentPageLink: null }],
			[{ id: 2, pageName: 'Carl', amount: 12 }],
		]);
		expect(bed().sandbox.state.pages.size).toBe(2);
	});
});

describe.each([nodeVersions.agent, nodeVersions.agent2])('an agent of version %d', (version) => {
	test('makes one page of two equal calls in one turn', async () => {
		const results = (await runCalls(version, [anna, anna])).flat();
		// Which of the two comes first is open where an agent makes its calls at once.
		expect(results).toHaveLength(2);
		expect(results.filter(({ skipped }) => skipped === true)).toHaveLength(1);
		expect(requests()).toEqual(['ask', 'create', 'ask']);
	});

	test('makes no second page when Retry On Fail tries a call again whose answer was lost', async () => {
		bed().sandbox.configure({
			faults: [
				{ endpoint: 'create', kind: 'cutAfterStoring', times: 1 },
				{ endpoint: 'validate', kind: 'html', nth: [2] },
			],
		});
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const results = await runCalls(version, [anna], settings);
		expect(results).toMatchObject([[{ pageName: 'Anna', recovered: true }]]);
		expect(requests()).toEqual(['ask', 'create', 'ask', 'ask']);
		expect(bed().sandbox.state.pages.size).toBe(1);
	});
});

/** 1.6 is the oldest with the Tools Agent. */
describe.each([1.6, nodeVersions.agent])('an agent of version %d, turn after turn', (version) => {
	const check = tool('Check', {
		resource: 'paymentPage',
		operation: 'validateReference',
		paymentPageLinkReference: "={{ $fromAI('reference', 'Reference to check', 'string') }}",
	});

	test('checks, creates, and mends what was rejected', async () => {
		const pages = (args: IDataObject): ToolCall => ({ tool: 'Pages', args });
		const checkBert: ToolCall = { tool: 'Check', args: { reference: 'Bert' } };
		const model = await runAgent(
			bed(),
			version,
			[
				[checkBert, pages({ name: 'Bert', amount: 'ten' })],
				[pages({ name: 'Bert', amount: '10' }), pages({ name: 'Dora', amount: '' })],
				[checkBert],
			],
			[createTool(), check],
		);
		expect(resultsOf(model)).toMatchObject([
			[{ exists: false, available: true }],
			version < 3 ? [] : [{ error: wrongAmount }],
			[{ pageName: 'Bert', amount: 10 }],
			[{ pageName: 'Dora' }],
			[{ exists: true, available: false }],
		]);
		// What the model leaves empty does not reach the service, which may get either page first.
		const bodies = bed()
			.sandbox.state.requests.filter(({ method }) => method === 'POST')
			.map(({ body }) => JSON.parse(body.toString()) as IDataObject);
		const withAmount = bodies.filter((fields) => 'amount' in fields);
		expect(bodies).toHaveLength(2);
		expect(withAmount).toMatchObject([{ pageName: 'Bert' }]);
		const offered = new Map(model.tools().map(({ name, ...about }) => [name, about]));
		expect(offered.get('Check')?.description).toBe('Check if payment page exists in Payment Page');
		expect(offered.get('Pages')).toMatchObject({
			description: 'Create payment page in Payment Page',
			parameters: {
				properties: {
					name: { type: 'string', description: 'Name of the page' },
					amount: { type: 'string', description: 'Amount to pay' },
				},
			},
		});
	});

	test('registers a webhook only with a tool that is set to do so', async () => {
		const webhookUrl = 'https://www.shop.example/payment-events';
		const args = { ...anna, resource: 'webhook', operation: 'register', webhookUrl };
		await runAgent(bed(), version, [[{ args }]]);
		expect(registrations(bed().sandbox)).toEqual([]);
		const register = tool('Register', {
			resource: 'webhook',
			operation: 'register',
			webhookUrl: "={{ $fromAI('url', 'URL that receives the events', 'string') }}",
		});
		await runAgent(bed(), version, [[{ args: { url: webhookUrl } }]], [register]);
		expect(registrations(bed().sandbox)).toMatchObject([{ webhookUrl }]);
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
	const { id } = await bed().save(withTools('MCP', [trigger], [createTool()]));
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
	const { id } = await bed().save(
		withTools('Editor', [manualTrigger(), agent(nodeVersions.agent)], [createTool()]),
	);
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
