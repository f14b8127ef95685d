import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import type { ExecutionSummary } from './types';

export type Execution = ExecutionSummary & { data: IRunExecutionData };

/** Whether the data of an execution that has ended is complete: no node to run, and its error. */
export function isStored({ status, data }: Execution): boolean {
	if (status === 'error') return data.resultData.error !== undefined;
	if (status !== 'success') return true;
	return data.executionData?.nodeExecutionStack.length === 0;
}

/** What a node gave out on one of its outputs, over all its runs; empty if it did not run. */
export function runItems(execution: Execution, nodeName: string, branch = 0): INodeExecutionData[] {
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.['main']?.[branch] ?? []);
}

/** The JSON of what a node gave out on one of its outputs. */
export function runJson(execution: Execution, nodeName: string, branch = 0): IDataObject[] {
	return runItems(execution, nodeName, branch).map((item) => item.json);
}

/** In one sentence, why an execution did not succeed. */
export function failureOf(execution: Execution): string {
	const { error, lastNodeExecuted: node } = execution.data.resultData;
	if (!error) return `The execution ended as "${execution.status}".`;
	const description = 'description' in error && error.description ? ` ${error.description}` : '';
	return `${node ? `Node "${node}": ` : ''}${error.message}${description}`;
}
