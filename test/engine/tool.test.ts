import {
	NodeConnectionTypes,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { useQuickWaits } from '../support/quickWaits';
import { describeNode, loadPaymentPage } from './harness/nodeTypes';
import { nodeOf, startWorkflow } from './harness/workflow';
import { anyPage, credentialsFor, triesAgain, useSandbox } from './sandbox';

/** As a tool, the node is called by an agent: as often as it likes, in one execution of the agent. */
useQuickWaits();
const sandbox = useSandbox();

/** The tool that n8n makes of a node that says `usableAsTool`. */
function loadTool(): INodeType {
	const nodeType = loadPaymentPage();
	const { usableAsTool, ...description } = nodeType.description;
	expect(usableAsTool).toBe(true);
	const asTool = { name: 'paymentPageTool', inputs: [], outputs: [NodeConnectionTypes.AiTool] };
	return Object.assign(nodeType, { description: { ...description, ...asTool } });
}

type Execute = (this: IExecuteFunctions, response?: EngineResponse) => Promise<unknown>;

/** Runs the workflow Rows -> Agent, whose tool is the node "Payment Page Tool". */
async function runAgent(
	execute: Execute,
	row: IDataObject,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
) {
	const description = describeNode('agent', [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool]);
	const ofTool = { parameters: { ...anyPage, ...parameters }, ...settings };
	const run = await startWorkflow({
		rows: [row],
		nodes: [nodeOf('Agent', 'agent'), nodeOf('Payment Page Tool', 'paymentPageTool', ofTool)],
		connections: [
			['Rows', 'Agent'],
			['Payment Page Tool', 'Agent', 0, NodeConnectionTypes.AiTool],
		],
		nodeTypes: {
			agent: { description, execute: execute as INodeType['execute'] },
			paymentPageTool: loadTool(),
		},
		credentials: credentialsFor(sandbox.service),
	});
	return run.data.resultData;
}

const fromAi = "={{ $fromAI('name', 'Name of the page', 'string') }}";

describe('an agent that calls its tool', () => {
	interface Tool {
		invoke(args: IDataObject): Promise<string>;
	}

	/** All calls at the same time; what each gives. */
	async function call(calls: IDataObject[], more: INodeParameters, settings?: Partial<INode>) {
		const agent: Execute = async function () {
			const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as [Tool];
			const answers = await Promise.allSettled(calls.map((args) => tool.invoke(args)));
			const results = answers.map((answer): IDataObject[] =>
				answer.status === 'fulfilled'
					? (JSON.parse(answer.value) as IDataObject[])
					: [{ failure: String(answer.reason) }],
			);
			return [results.map(([json]) => ({ json }))];
		};
		const amount = "={{ $fromAI('amount', 'Amount to pay', 'number') }}";
		const parameters = { descriptionType: 'auto', pageName: fromAi, amount, ...more };
		const { error, runData } = await runAgent(agent, {}, parameters, settings);
		expect(error).toBeUndefined();
		return (runData.Agent?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
	}

	const anna = { name: 'Anna', amount: 10 };
	const skip = { ifReferenceExists: 'skip', paymentPageLinkReference: fromAi };

	test('gets no second page when n8n tries a lost call again', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'cutAfterStoring' });
		const [result] = await call([anna], {}, triesAgain);
		expect(result?.failure).toContain('a page "anna" exists, but it may have existed before');
		expect(sandbox.methods).toBe('POST GET GET GET');
		expect(sandbox.references).toHaveLength(1);
	});

	test('gets one page for equal calls that ask first', async () => {
		const results = await call([anna, anna, anna], skip);
		const skipped = { skipped: true, exists: true, paymentPageLinkReference: 'Anna' };
		expect(results).toMatchObject([{ id: 1, pageName: 'Anna' }, skipped, skipped]);
		expect(sandbox.methods).toBe('GET POST GET GET');
	});
});

/**
 * The newest agent lets n8n run its tools as nodes, and n8n gives them the agent's own item with the
 * arguments of the model mixed in.
 */
describe('an agent that asks n8n to run its tool', () => {
	const ownItem = { chatInput: 'A page for Anna', amount: 999, isTestMode: true, merchantId: '5' };

	async function callTool(input: IDataObject, parameters: INodeParameters) {
		const action = {
			...{ actionType: 'ExecutionNodeAction', nodeName: 'Payment Page Tool', id: 'call-1' },
			...{ type: NodeConnectionTypes.AiTool, input, metadata: { itemIndex: 0 } },
		};
		const agent: Execute = async (response) =>
			response?.actionResponses.length ? [[{ json: {} }]] : { actions: [action], metadata: {} };
		const { runData } = await runAgent(agent, ownItem, parameters);
		return runData['Payment Page Tool']?.[0]?.data?.ai_tool?.[0]?.[0]?.json;
	}

	test('sends what the model chose and nothing of the item of its agent', async () => {
		await callTool({ name: 'Anna' }, { pageName: fromAi, mappingMode: 'defineBelow' });
		const own = { pageName: 'Anna', isFixedAmount: false, paymentPageLinkReference: 'anna' };
		const always = { merchantId: 1002003004005006000, additionalFields: '[]' };
		expect(sandbox.bodies).toEqual([{ ...always, ...own }]);
	});

	test.each(['create', 'update'])('has no automatic mapping on %s', async (operation) => {
		// The choice is not shown, but a workflow that was not made in the editor can have it.
		const mapping = { mappingMode: 'autoMapInputData', paymentPageLinkReference: fromAi };
		const json = await callTool({ name: 'anna', pageName: 'A' }, { operation, ...mapping });
		expect(json?.error).toMatch(/^'Mapping Mode' can't be 'Map Automatically' in a tool/);
		expect(sandbox.requests).toEqual([]);
	});
});
