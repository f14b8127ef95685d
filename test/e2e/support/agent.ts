import type { INode, INodeParameters } from 'n8n-workflow';
import { failureOf, runJson } from '../../../scripts/localN8n/execution';
import type { WorkflowContent } from '../../../scripts/localN8n/types';
import type { Bed } from './bed';
import { startScriptedModel, type ScriptedModel, type ToolCall } from './scriptedModel';
import { manualTrigger, node, rows, workflow } from './workflow';

/** The node as a tool; a model fills in what `$fromAI` names. */
export function tool(name: string, parameters: INodeParameters): INode {
	return node(name, 'n8n-nodes-payment-pages.paymentPageTool', parameters);
}

export function createTool(): INode {
	return tool('Pages', {
		resource: 'paymentPage',
		operation: 'create',
		pageName: "={{ $fromAI('name', 'Name of the page', 'string') }}",
		amount: "={{ $fromAI('amount', 'Amount to pay', 'string') }}",
		isFixedAmount: false,
		paymentPageLinkReference: "={{ $fromAI('name', 'Name of the page', 'string') }}",
		ifReferenceExists: 'skip',
	});
}

/** A workflow whose last node has tools. */
export function withTools(name: string, nodes: INode[], tools: INode[]): WorkflowContent {
	const user = nodes.at(-1)?.name ?? '';
	const content = workflow(name, nodes);
	content.nodes = [...nodes, ...tools];
	for (const { name: toolName } of tools) {
		content.connections[toolName] = { ai_tool: [[{ node: user, type: 'ai_tool', index: 0 }]] };
	}
	return content;
}

export function agent(typeVersion: number): INode {
	return node(
		'Agent',
		'@n8n/n8n-nodes-langchain.agent',
		{ promptType: 'define', text: 'Make the pages.', options: {} },
		{ typeVersion },
	);
}

/** Runs an agent whose model calls in each of its turns what it is told. */
export async function runAgent(
	bed: Bed,
	typeVersion: number,
	turns: ToolCall[][],
	tools = [createTool()],
): Promise<ScriptedModel> {
	const model = await startScriptedModel(bed, turns);
	const nodes = [manualTrigger(), ...rows([{ customer: 'Of the agent' }]), agent(typeVersion)];
	const content = withTools('Agent', nodes, tools);
	content.nodes.push(model.node);
	content.connections['Model'] = {
		ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]],
	};
	const execution = await bed.run(content);
	if (execution.status !== 'success') throw new Error(failureOf(execution));
	expect(runJson(execution, 'Agent')).toMatchObject([{ output: 'Done.' }]);
	return model;
}
