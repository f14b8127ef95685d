import {
	type IDataObject,
	type INodeParameters,
	type INodeType,
	type IRun,
	NodeConnectionTypes,
	type INode,
} from 'n8n-workflow';

import type { CredentialData } from './credentials';
import { rowsNode } from './helperNodes';
import { loadPaymentPage } from './nodeTypes';
import { credentialsOf, nodeOf, startWorkflow } from './workflow';

/** The tool that n8n makes of a node that says `usableAsTool`. */
export function loadTool(): INodeType {
	const nodeType = loadPaymentPage();
	const { usableAsTool, ...description } = nodeType.description;
	expect(usableAsTool).toBe(true);
	nodeType.description = {
		...description,
		name: 'paymentPageTool',
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	};
	return nodeType;
}

/** Stands for an agent, which does this with its tool. */
export function agentNode(execute: NonNullable<INodeType['execute']>): INodeType {
	return {
		description: {
			displayName: 'Agent',
			name: 'agent',
			group: ['transform'],
			version: 1,
			description: 'Agent',
			defaults: { name: 'Agent' },
			inputs: [
				NodeConnectionTypes.Main,
				{ type: NodeConnectionTypes.AiTool, displayName: 'Tools' },
			],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		execute,
	};
}

export interface AgentRun {
	agent: INodeType;
	/** The items that reach the agent. */
	rows: IDataObject[];
	parameters: INodeParameters;
	/** Settings of the tool. */
	settings?: Partial<INode>;
	credentials: CredentialData;
}

/** Runs the workflow Rows -> Agent, whose tool is the node "Payment Page Tool". */
export async function runAgent({
	agent,
	rows,
	parameters,
	settings,
	credentials,
}: AgentRun): Promise<IRun> {
	return await startWorkflow({
		nodes: [
			nodeOf('Rows', 'rows'),
			nodeOf('Agent', 'agent'),
			nodeOf('Payment Page Tool', 'paymentPageTool', {
				parameters,
				credentials: credentialsOf(credentials),
				...settings,
			}),
		],
		connections: {
			Rows: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			'Payment Page Tool': { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		nodeTypes: { rows: rowsNode(rows), agent, paymentPageTool: loadTool() },
		credentials,
	});
}
