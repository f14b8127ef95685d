import type { IDataObject } from 'n8n-workflow';
import { failureOf } from '../../scripts/localN8n/execution';
import { release } from '../../scripts/localN8n/installation';
import { registrations } from '../support/service';
import { agent, createTool, runAgent, tool, withTools } from './support/agent';
import { useSharedBed } from './support/bed';
import { McpClient } from './support/mcpClient';
import type { ToolCall } from './support/scriptedModel';
import { manualTrigger, node } from './support/workflow';
import { older, testUnless } from './support/cannot';

/**
 * The node as a tool: of n8n's AI Agent with a model that follows a script, of an MCP client, and by
 * itself in the editor; called several times at once.
 */
const bed = useSharedBed({ webhookSecret: 'a secret of the test' });

const { nodeVersions } = release;

beforeEach(() => bed().sandbox.reset());

function requests(): string[] {
	return bed().sandbox.state.requests.map(({ method }) => (method === 'GET' ? 'ask' : 'create'));
}

function pageNames(): unknown[] {
	return [...bed().sandbox.state.pages.values()].map(({ pageName }) => pageName).toSorted();
}

const anna = { name: 'Anna', amount: '10' };
const bert = { name: 'Bert', amount: 'ten' };
const carl = { name: 'Carl', amount: '12' };
const wrongAmount = '\'Amount\' must be a number such as 49.90, but is "ten"';

const callsMayFail = testUnless(
	older,
	'its AI Agent of version 3 ends the execution when a call of a tool fails',
);

callsMayFail(
	'an agent of the newest version gets a page for each call, and words for each that fails',
	async () => {
		// What a model adds by itself changes nothing.
		const register = {
			resource: 'webhook',
			operation: 'register',
			webhookUrl: 'https://a.example',
		};
		const calls = [{ ...anna, ...register }, bert, anna, carl].map((args) => ({ args }));
		const model = await runAgent(bed(), nodeVersions.agent, [calls]);
		expect(model.results()).toMatchObject([
			[{ id: 1, pageName: 'Anna', amount: 10 }],
			[{ error: wrongAmount }],
			[{ skipped: true, exists: true, paymentPageLink: null }],
			[{ id: 2, pageName: 'Carl', amount: 12 }],
		]);
		expect(pageNames()).toEqual(['Anna', 'Carl']);
		expect(registrations(bed().sandbox)).toEqual([]);
	},
);

test.each([nodeVersions.agent, nodeVersions.agent2])(
	'an agent of version %d makes one page of two equal calls in one turn',
	async (version) => {
		const model = await runAgent(bed(), version, [[{ args: anna }, { args: anna }]]);
		const results = model.results().flat();
		// Which of the two comes first is open where an agent makes its calls at once.
		const skipped = results.filter((result) => result['skipped'] === true);
		expect([results.length, skipped.length]).toEqual([2, 1]);
		expect(requests()).toEqual(['ask', 'create', 'ask']);
	},
);

/** 1.6 is the oldest with the Tools Agent. */
const turnAfterTurn = async (version: number): Promise<void> => {
	const check = tool('Check', {
		resource: 'paymentPage',
		operation: 'validateReference',
		paymentPageLinkReference: "={{ $fromAI('reference', 'Reference to check', 'string') }}",
	});
	const pages = (args: IDataObject): ToolCall => ({ tool: 'Pages', args });
	const checkBert: ToolCall = { tool: 'Check', args: { reference: 'Bert' } };
	const turns = [
		[checkBert, pages(bert)],
		[pages({ name: 'Bert', amount: '10' }), pages({ name: 'Dora', amount: '' })],
		[checkBert],
	];
	const model = await runAgent(bed(), version, turns, [createTool(), check]);
	expect(model.results()).toMatchObject([
		[{ exists: false, available: true }],
		// Of a call that fails, an agent before version 3 tells its model nothing at all.
		version < 3 ? [] : [{ error: wrongAmount }],
		[{ pageName: 'Bert', amount: 10 }],
		[{ pageName: 'Dora' }],
		[{ exists: true, available: false }],
	]);
	expect(pageNames()).toEqual(['Bert', 'Dora']);
	const offered = new Map(model.tools().map(({ name, ...about }) => [name, about]));
	expect(offered.get('Check')?.description).toBe('Check if payment page exists in Payment Page');
	const name = { type: 'string', description: 'Name of the page' };
	const amount = { type: 'string', description: 'Amount to pay' };
	expect(offered.get('Pages')?.parameters.properties).toMatchObject({ name, amount });
};

for (const version of [1.6, nodeVersions.agent]) {
	const run = version === 1.6 ? test : callsMayFail;
	run(
		`an agent of version ${version} checks, creates, and mends what was rejected, turn after turn`,
		() => turnAfterTurn(version),
	);
}

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
	const client = await McpClient.connect(`${bed().n8n.url}/mcp/${path}`);
	const calls = [anna, anna, bert, carl];
	const texts = await Promise.all(calls.map((args) => client.callTool('Pages', args)));
	const [failed] = texts.splice(2, 1);
	expect(failed).toContain(wrongAmount);
	const results = texts.flatMap((text) => JSON.parse(text) as IDataObject[]);
	expect(results.filter(({ skipped }) => skipped === true)).toHaveLength(1);
	expect(pageNames()).toEqual(['Anna', 'Carl']);
});

test('the editor runs the tool by itself, also twice at one moment', async () => {
	const { client } = bed();
	const { id } = await bed().save(
		withTools('Editor', [manualTrigger(), agent(nodeVersions.agent)], [createTool()]),
	);
	/** What the editor sends for "Execute step" of a tool, with the values that a person filled in. */
	const run = async (filledIn: IDataObject) => {
		// An older n8n takes what was filled in without the name of the tool.
		const query = release.isOld ? filledIn : { Pages: filledIn };
		const executionId = await client.startRun(id, 'Manual Trigger', {
			destinationNode: { nodeName: 'Pages', mode: 'inclusive' },
			agentRequest: { query, tool: { name: 'Pages' } },
		});
		return await client.waitForExecution(id, executionId ?? '');
	};
	const [failed, ...done] = await Promise.all([run(bert), run(anna), run(anna)]);
	expect(failureOf(failed)).toContain(wrongAmount);
	expect(done.map(({ status }) => status)).toEqual(['success', 'success']);
	expect(requests()).toEqual(['ask', 'create', 'ask']);
	expect(pageNames()).toEqual(['Anna']);
});
