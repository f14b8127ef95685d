import './harness/environment';

import { WorkflowExecute } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ExecutionError,
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
	IWorkflowBase,
} from 'n8n-workflow';

import { additionalDataFor } from './harness/additionalData';
import { CredentialsHelper } from './harness/credentials';
import type { CredentialData } from './harness/credentials';
import { lookNode, rowsNode } from './harness/helperNodes';
import { loadPaymentPage, NodeTypes } from './harness/nodeTypes';

export type { CredentialData } from './harness/credentials';

export interface Execution {
	/** The items that reach the node "Payment Page". */
	rows?: IDataObject[];
	/** Its parameters, as a workflow stores them: what is missing has its default. */
	parameters: INodeParameters;
	credentials: CredentialData;
	/** Its settings, such as `retryOnFail` or `onError`. */
	settings?: Partial<INode>;
	/** An expression for the nodes behind its two outputs ("Look", "Look at error"). */
	lookAt?: string;
}

export interface Outcome {
	run: IRun;
	/** Of the node or of the whole execution. */
	error?: ExecutionError;
	/** Items at the main output. */
	output: INodeExecutionData[];
	/** Items at the error output. */
	errorOutput: INodeExecutionData[];
	/** What `lookAt` gave behind each output. */
	looked: unknown[];
	lookedAtError: unknown[];
}

export interface StartedExecution {
	finished: Promise<Outcome>;
	/** What the stop button does. */
	cancel(): void;
}

const paymentPage = 'Payment Page';

function nodeOf(name: string, type: string, more: Partial<INode> = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...more };
}

function nodesOf({ parameters, credentials, settings, lookAt }: Execution): INode[] {
	const look = { parameters: { value: lookAt ?? '' } };
	const names = Object.keys(credentials);
	return [
		nodeOf('Rows', 'rows'),
		nodeOf(paymentPage, 'paymentPage', {
			parameters,
			credentials: Object.fromEntries(names.map((name) => [name, { id: name, name }])),
			...settings,
		}),
		nodeOf('Look', 'look', look),
		nodeOf('Look at error', 'look', look),
	];
}

function connect(...outputs: string[]): IConnections[string] {
	return { main: outputs.map((node) => [{ node, type: 'main', index: 0 }]) };
}

const connections: IConnections = {
	Rows: connect(paymentPage),
	[paymentPage]: connect('Look', 'Look at error'),
};

function workflowDataOf(nodes: INode[]): IWorkflowBase {
	const now = new Date();
	return {
		id: '1',
		name: 'Test',
		nodes,
		connections,
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: now,
		updatedAt: now,
	};
}

function outcomeOf(run: IRun): Outcome {
	const { runData, error } = run.data.resultData;
	const itemsOf = (node: string, output: number): INodeExecutionData[] =>
		runData[node]?.at(-1)?.data?.main?.[output] ?? [];
	return {
		run,
		...(error === undefined ? {} : { error }),
		output: itemsOf(paymentPage, 0),
		errorOutput: itemsOf(paymentPage, 1),
		looked: itemsOf('Look', 0).map(({ json }) => json.value),
		lookedAtError: itemsOf('Look at error', 0).map(({ json }) => json.value),
	};
}

/** Starts the workflow Rows -> Payment Page -> Look in n8n's own engine. */
export function startExecution(execution: Execution): StartedExecution {
	const nodes = nodesOf(execution);
	const workflow = new Workflow({
		id: '1',
		name: 'Test',
		nodes,
		connections,
		active: false,
		nodeTypes: new NodeTypes({
			rows: rowsNode(execution.rows ?? [{}]),
			look: lookNode,
			paymentPage: loadPaymentPage(),
		}),
		settings: { executionOrder: 'v1' },
	});
	const additionalData = additionalDataFor(
		workflowDataOf(nodes),
		new CredentialsHelper(execution.credentials),
	);
	const run = new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode('Rows') ?? undefined,
	});
	return { finished: run.then(outcomeOf), cancel: () => run.cancel() };
}

/** Runs the workflow to its end, however it ends. */
export async function execute(execution: Execution): Promise<Outcome> {
	return await startExecution(execution).finished;
}
