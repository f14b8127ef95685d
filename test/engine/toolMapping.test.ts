import {
	NodeConnectionTypes,
	NodeHelpers,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { loadPaymentPage } from './harness/nodeTypes';
import { agentNode, loadTool, runAgent } from './harness/tool';
import { nodeOf } from './harness/workflow';
import { anyPage, credentialsFor, useSandbox } from './sandbox';

/**
 * The newest agent lets n8n run its tools as nodes, and n8n gives them the agent's own item with the
 * arguments of the model mixed in.
 */
const sandbox = useSandbox();

/** Asks n8n once to run its tool with these arguments. */
function askingAgent(input: IDataObject): INodeType {
	return agentNode(async function (this: IExecuteFunctions, response?: EngineResponse) {
		if ((response?.actionResponses.length ?? 0) > 0) return [[{ json: {} }]];
		return {
			actions: [
				{
					actionType: 'ExecutionNodeAction' as const,
					nodeName: 'Payment Page Tool',
					input,
					type: NodeConnectionTypes.AiTool,
					id: 'call-1',
					metadata: { itemIndex: 0 },
				},
			],
			metadata: {},
		};
	});
}

async function callTool(agentItem: IDataObject, input: IDataObject, parameters: INodeParameters) {
	const run = await runAgent({
		agent: askingAgent(input),
		rows: [agentItem],
		parameters: { ...anyPage, ...parameters },
		credentials: credentialsFor(sandbox.service),
	});
	return run.data.resultData.runData['Payment Page Tool']?.[0];
}

const agentItem = { chatInput: 'A page for Anna', amount: 999, isTestMode: true, merchantId: '5' };

test('sends what the model chose and nothing of the item of its agent', async () => {
	await callTool(
		agentItem,
		{ name: 'Anna' },
		{
			pageName: "={{ $fromAI('name', 'Name of the page', 'string') }}",
			mappingMode: 'defineBelow',
		},
	);
	expect(sandbox.requests.map(({ body }) => JSON.parse(body.toString()) as unknown)).toEqual([
		{
			merchantId: 1002003004005006007,
			additionalFields: '[]',
			pageName: 'Anna',
			isFixedAmount: false,
			paymentPageLinkReference: 'anna',
		},
	]);
});

test.each(['create', 'update'])('has no automatic mapping on %s', async (operation) => {
	// The choice is not shown, but a workflow that was not made in the editor can have it.
	const parameters = {
		operation,
		mappingMode: 'autoMapInputData',
		paymentPageLinkReference: "={{ $fromAI('name', 'Name of the page', 'string') }}",
	};
	const call = await callTool({ ...agentItem, pageName: 'A' }, { name: 'anna' }, parameters);
	expect(call?.data?.ai_tool?.[0]?.[0]?.json.error).toBe(
		"'Mapping Mode' can't be 'Map Automatically' in a tool of an AI agent",
	);
	expect(sandbox.requests).toEqual([]);
});

test('shows the mapping mode to people, and no choice to those who make a tool', () => {
	const shownModes = (nodeType: INodeType) =>
		nodeType.description.properties.filter((property) => {
			const node = nodeOf('Payment Page', nodeType.description.name);
			return (
				property.name === 'mappingMode' &&
				NodeHelpers.displayParameter(
					{ resource: 'paymentPage', operation: 'create' },
					property,
					node,
					nodeType.description,
				)
			);
		});
	expect(shownModes(loadPaymentPage()).map(({ type }) => type)).toEqual(['options']);
	expect(shownModes(loadTool()).map(({ type }) => type)).toEqual(['hidden']);
});
