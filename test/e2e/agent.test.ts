import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { failureOf, runJson } from '../../scripts/localN8n/execution';
import { release } from '../../scripts/localN8n/installation';
import { useSharedBed } from './support/bed';
import { older, testUnless } from './support/needs';
import { startScriptedModel, type ToolCall } from './support/scriptedModel';
import { manualTrigger, node, rows, workflow } from './support/workflow';

/** The node as a tool: of n8n's AI Agent with a model that follows a script, and by itself. */
const bed = useSharedBed();

beforeEach(() => bed().sandbox.reset());

const methods = () =>
	bed()
		.sandbox.state.requests.map(({ method }) => method)
		.join(' ');

const pageNames = () =>
	[...bed().sandbox.state.pages.values()].map(({ pageName }) => pageName).toSorted();

/** The node as a tool; a model fills in what `$fromAI` names. */
const tool = (name: string, parameters: INodeParameters) =>
	node(name, 'n8n-nodes-payment-pages.paymentPageTool', { resource: 'paymentPage', ...parameters });

const pageName = "={{ $fromAI('name', 'Name of the page', 'string') }}";

const pagesTool = tool('Pages', {
	operation: 'create',
	pageName,
	amount: "={{ $fromAI('amount', 'Amount to pay', 'string') }}",
	isFixedAmount: false,
	paymentPageLinkReference: pageName,
	ifReferenceExists: 'skip',
});

const checkTool = tool('Check', {
	operation: 'validateReference',
	paymentPageLinkReference: "={{ $fromAI('reference', 'Reference to check', 'string') }}",
});

const agentType = '@n8n/n8n-nodes-langchain.agent';
const prompt = { promptType: 'define', text: 'Make the pages.', options: {} };

/** A workflow whose last node is helped by others: its tools and its model. */
function withHelpers(nodes: INode[], tools: INode[], ...models: INode[]) {
	const content = workflow('Agent', nodes);
	const user = nodes.at(-1)?.name ?? '';
	const helpers = { ai_tool: tools, ai_languageModel: models };
	for (const type of ['ai_tool', 'ai_languageModel'] as const) {
		for (const { name } of helpers[type]) {
			content.connections[name] = { [type]: [[{ node: user, type, index: 0 }]] };
		}
	}
	return { ...content, nodes: [...nodes, ...tools, ...models] };
}

/** Runs an agent whose model calls in each of its turns what it is told. */
async function runAgent(turns: ToolCall[][], tools: INode[]) {
	const model = await startScriptedModel(bed(), turns);
	const agent = node('Agent', agentType, prompt, { typeVersion: release.agentVersion });
	const nodes = [manualTrigger(), ...rows([{ customer: 'Of the agent' }]), agent];
	const execution = await bed().run(withHelpers(nodes, tools, model.node));
	if (execution.status !== 'success') throw new Error(failureOf(execution));
	expect(runJson(execution, 'Agent')).toMatchObject([{ output: 'Done.' }]);
	return model;
}

const anna = { name: 'Anna', amount: '10' };
const bert = { name: 'Bert', amount: 'ten' };
const wrongAmount = '\'Amount\' must be a number such as 49.90, but is "ten"';

testUnless(older, 'its AI Agent of version 3 ends the execution when a call of a tool fails')(
	'an agent checks, creates, and mends what was rejected',
	async () => {
		const checkBert: ToolCall = { tool: 'Check', args: { reference: 'Bert' } };
		const pages = [bert, { name: 'Bert', amount: '10' }, { name: 'Dora', amount: '' }];
		const [bad, ...good] = pages.map((args): ToolCall => ({ tool: 'Pages', args }));
		const turns = [bad ? [checkBert, bad] : [], good, [checkBert]];
		const model = await runAgent(turns, [pagesTool, checkTool]);
		expect(model.results()).toMatchObject([
			[{ exists: false, available: true }],
			[{ error: wrongAmount }],
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
	},
);

test('the editor runs the tool by itself, also twice at one moment', async () => {
	const { client } = bed();
	const agent = node('Agent', agentType, prompt, { typeVersion: release.agentVersion });
	const { id } = await bed().save(withHelpers([manualTrigger(), agent], [pagesTool]));
	/** What the editor sends for "Execute step" of a tool, with the values that a person filled in. */
	const run = async (filledIn: IDataObject) => {
		// An older n8n takes what was filled in without the name of the tool.
		const query = release.isOld ? filledIn : { Pages: filledIn };
		const agentRequest = { query, tool: { name: 'Pages' } };
		const destinationNode = { nodeName: 'Pages', mode: 'inclusive' };
		const more = { destinationNode, agentRequest };
		const executionId = await client.startRun(id, 'Manual Trigger', more);
		return await client.waitForExecution(id, executionId ?? '');
	};
	const [failed, ...done] = await Promise.all([run(bert), run(anna), run(anna)]);
	expect(failureOf(failed)).toContain(wrongAmount);
	expect(done.map(({ status }) => status)).toEqual(['success', 'success']);
	expect(methods()).toBe('GET POST GET');
	expect(pageNames()).toEqual(['Anna']);
});
