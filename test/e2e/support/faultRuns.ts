import type { INode, INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../../../sandbox';
import { type Execution, failureOf, runJson } from '../../../scripts/localN8n/execution';
import { endpointOf } from '../../faults';
import type { Bed } from './testBed';
import { manualTrigger, paymentPage, workflow } from './workflow';

/** Runs the node once while the service makes the faults; `before` are nodes that bring in items. */
export async function runWithFaults(
	bed: Bed,
	parameters: INodeParameters,
	faults: FaultRule[],
	{ before = [], settings }: { before?: INode[]; settings?: Partial<INode> } = {},
): Promise<Execution> {
	bed.sandbox.configure({ faults });
	// Only where an answer surely does not come: a busy machine may need long for one that does.
	const hangs = faults.some(({ kind }) => kind === 'hang');
	const requestOptions: INodeParameters = hangs ? { timeout: 1500 } : {};
	const node = paymentPage({ ...parameters, requestOptions }, settings);
	return bed.run(workflow('Faults', [manualTrigger(), ...before, node]));
}

export function expectAtService({ sandbox }: Bed, pages: number, ...requests: string[]): void {
	expect(sandbox.state.requests.map(endpointOf)).toEqual(requests);
	expect(sandbox.state.pages.size).toBe(pages);
}

/** @param advice words of the description, beside those about the item */
export function expectFailure(execution: Execution, message: string, advice = ''): void {
	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error?.message).toBe(message);
	const text = failureOf(execution);
	expect(text.startsWith(`Node "Payment Page": ${message} `)).toBe(true);
	expect(text).toContain(advice);
	expect(runJson(execution, 'Payment Page')).toEqual([]);
}

/** @param json all of it: an object, or an asymmetric matcher */
export function expectOutput(execution: Execution, json: unknown): void {
	expect(execution.status).toBe('success');
	expect(runJson(execution, 'Payment Page')).toEqual([json]);
}
