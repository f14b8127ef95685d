import type {
	ExecutionError,
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
} from 'n8n-workflow';

import type { CredentialData } from './harness/credentials';
import { lookNode, rowsNode } from './harness/helperNodes';
import { loadPaymentPage } from './harness/nodeTypes';
import { credentialsOf, nodeOf, startWorkflow } from './harness/workflow';

export type { CredentialData } from './harness/credentials';

export interface Execution {
	/** The items that reach the node "Payment Page". */
	rows?: IDataObject[];
	/** Its parameters, as a workflow stores them: what is missing has its default. */
	parameters: INodeParameters;
	credentials: CredentialData;
	/** Told whenever a credential is read for an item. */
	onCredentialRead?: (itemIndex: number) => void;
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

function nodesOf({ parameters, credentials, settings, lookAt }: Execution): [INode, ...INode[]] {
	const look = { parameters: { value: lookAt ?? '' } };
	return [
		nodeOf('Rows', 'rows'),
		nodeOf(paymentPage, 'paymentPage', {
			parameters,
			credentials: credentialsOf(credentials),
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
	const run = startWorkflow({
		nodes: nodesOf(execution),
		connections,
		nodeTypes: {
			rows: rowsNode(execution.rows ?? [{}]),
			look: lookNode,
			paymentPage: loadPaymentPage(),
		},
		credentials: execution.credentials,
		onCredentialRead: execution.onCredentialRead,
	});
	return { finished: run.then(outcomeOf), cancel: () => run.cancel() };
}

/** Runs the workflow to its end, however it ends. */
export async function execute(execution: Execution): Promise<Outcome> {
	return await startExecution(execution).finished;
}
