import {
	NodeConnectionTypes,
	NodeHelpers,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { useQuickWaits } from '../support/quickWaits';
import { rowsNode } from './harness/helperNodes';
import { loadPaymentPage } from './harness/nodeTypes';
import { credentialsOf, nodeOf, startWorkflow } from './harness/workflow';
import { anyPage, credentialsFor, triesAgain, useSandbox } from './sandbox';

/** As a tool, the node is called by an agent: as often as it likes, in one execution of the agent. */
useQuickWaits();
const sandbox = useSandbox();

/** The tool that n8n makes of a node that says `usableAsTool`. */
function loadTool(): INodeType {
	const nodeType = loadPaymentPage();
	const { usableAsTool, ...description } = nodeType.description;
	expect(usableAsTool).toBe(true);
	const outputs = [NodeConnectionTypes.AiTool];
	nodeType.description = { ...description, name: 'paymentPageTool', inputs: [], outputs };
	return nodeType;
}

type Execute = (this: IExecuteFunctions, response?: EngineResponse) => Promise<unknown>;

interface AgentRun {
	rows?: IDataObject[];
	parameters: INodeParameters;
	settings?: Partial<INode>;
}

/** Runs the workflow Rows -> Agent, whose tool is the node "Payment Page Tool". */
async function runAgent(execute: Execute, { rows = [{}], parameters, settings }: AgentRun) {
	const to = (type: 'main' | 'ai_tool') => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	const credentials = credentialsFor(sandbox.service);
	const description = {
		...rowsNode([]).description,
		name: 'agent',
		inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool, displayName: 'Tools' }],
	};
	const run = await startWorkflow({
		nodes: [
			nodeOf('Rows', 'rows'),
			nodeOf('Agent', 'agent'),
			nodeOf('Payment Page Tool', 'paymentPageTool', {
				parameters: { ...anyPage, ...parameters },
				credentials: credentialsOf(credentials),
				...settings,
			}),
		],
		connections: { Rows: to('main'), 'Payment Page Tool': to('ai_tool') },
		nodeTypes: {
			rows: rowsNode(rows),
			agent: { description, execute: execute as NonNullable<INodeType['execute']> },
			paymentPageTool: loadTool(),
		},
		credentials,
	});
	return run.data.resultData;
}

const fromAi = "={{ $fromAI('name', 'Name of the page', 'string') }}";

describe('an agent that calls its tool', () => {
	interface Tool {
		invoke(args: IDataObject): Promise<string>;
	}

	/** All calls at the same time; what each gives, for each row that reaches the agent. */
	async function call(calls: IDataObject[], run: Partial<AgentRun> = {}) {
		const agent: Execute = async function () {
			const [tool] = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as [Tool];
			const answers = await Promise.allSettled(calls.map((args) => tool.invoke(args)));
			return [
				answers.map((answer) => ({
					json:
						answer.status === 'fulfilled'
							? (JSON.parse(answer.value) as IDataObject[])[0]
							: { failure: String(answer.reason) },
				})),
			];
		};
		const amount = "={{ $fromAI('amount', 'Amount to pay', 'number') }}";
		const fields = { descriptionType: 'auto', pageName: fromAi, amount };
		const parameters = { ...fields, ...run.parameters };
		const { error, runData } = await runAgent(agent, { ...run, parameters });
		expect(error).toBeUndefined();
		return (runData.Agent?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
	}

	const anna = { name: 'Anna', amount: 10 };
	const skip = { ifReferenceExists: 'skip', paymentPageLinkReference: fromAi };

	test('gets no second page when n8n tries a lost call again', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'cutAfterStoring' });
		const [result] = await call([anna], { settings: triesAgain });
		expect(result?.failure).toContain('a page "anna" exists, but it may have existed before');
		expect(sandbox.methods).toEqual(['POST', 'GET', 'GET', 'GET']);
		expect(sandbox.references).toHaveLength(1);
	});

	test('gets one page for equal calls that ask first', async () => {
		const results = await call([anna, anna, anna], { parameters: skip });
		const skipped = { skipped: true, exists: true, paymentPageLinkReference: 'Anna' };
		expect(results).toMatchObject([{ id: 1, pageName: 'Anna' }, skipped, skipped]);
		expect(sandbox.methods).toEqual(['GET', 'POST', 'GET', 'GET']);
	});

	test('gets the page by the second call when the first could not make it', async () => {
		sandbox.fail({ endpoint: 'create', kind: 'wrongCode', times: 1 });
		const [first, second] = await call([anna, anna], { parameters: skip });
		expect(first?.failure).toContain('The service rejected the request');
		expect(second).toMatchObject({ id: 1, pageName: 'Anna' });
	});
});

/**
 * The newest agent lets n8n run its tools as nodes, and n8n gives them the agent's own item with the
 * arguments of the model mixed in.
 */
describe('an agent that asks n8n to run its tool', () => {
	const ownItem = { chatInput: 'A page for Anna', amount: 999, isTestMode: true, merchantId: '5' };

	async function callTool(input: IDataObject, parameters: INodeParameters) {
		const agent: Execute = async function (response) {
			if ((response?.actionResponses.length ?? 0) > 0) return [[{ json: {} }]];
			const action = {
				actionType: 'ExecutionNodeAction',
				nodeName: 'Payment Page Tool',
				input,
				type: NodeConnectionTypes.AiTool,
				id: 'call-1',
				metadata: { itemIndex: 0 },
			};
			return { actions: [action], metadata: {} };
		};
		const { runData } = await runAgent(agent, { rows: [ownItem], parameters });
		return runData['Payment Page Tool']?.[0]?.data?.ai_tool?.[0]?.[0]?.json;
	}

	test('sends what the model chose and nothing of the item of its agent', async () => {
		await callTool({ name: 'Anna' }, { pageName: fromAi, mappingMode: 'defineBelow' });
		expect(sandbox.bodies).toEqual([
			{
				merchantId: 1002003004005006000,
				additionalFields: '[]',
				pageName: 'Anna',
				isFixedAmount: false,
				paymentPageLinkReference: 'anna',
			},
		]);
	});

	test.each(['create', 'update'])('has no automatic mapping on %s', async (operation) => {
		// The choice is not shown, but a workflow that was not made in the editor can have it.
		const mapping = {
			operation,
			mappingMode: 'autoMapInputData',
			paymentPageLinkReference: fromAi,
		};
		const json = await callTool({ name: 'anna', pageName: 'A' }, mapping);
		expect(json?.error).toBe(
			"'Mapping Mode' can't be 'Map Automatically' in a tool of an AI agent",
		);
		expect(sandbox.requests).toEqual([]);
	});
});

test('shows the mapping mode to people, and no choice to those who make a tool', () => {
	const shownModes = ({ description }: INodeType) => {
		const node = nodeOf('Payment Page', description.name);
		const parameters = { resource: 'paymentPage', operation: 'create' };
		return description.properties.filter(
			(property) =>
				property.name === 'mappingMode' &&
				NodeHelpers.displayParameter(parameters, property, node, description),
		);
	};
	expect(shownModes(loadPaymentPage()).map(({ type }) => type)).toEqual(['options']);
	expect(shownModes(loadTool()).map(({ type }) => type)).toEqual(['hidden']);
});
