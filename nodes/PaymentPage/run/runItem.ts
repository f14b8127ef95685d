import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { readCredential, type CredentialName } from '../../shared/credential';
import { InvalidFieldError, ServiceError } from '../../shared/errors';
import type { RequestBody } from '../../shared/exactJson';
import type { ServiceRequest } from '../../shared/service/request';
import { failedItem, itemError } from './itemError';
import { runOf } from './run';
import { canceledError, type RequestContext } from './send';

/** What an operation of the node consists of; `run/` does for all of them what they share. */
export interface Operation<Reading, Input> {
	credential: CredentialName;

	/** How to go on after the node stopped, in one sentence. */
	rerunAdvice?(reading: Reading | undefined): string;

	/** Reads the parameters of one item, without a wait: so all are judged before one is sent. */
	read(context: IExecutePaginationFunctions, node: INode): Reading;

	/** Judges items that were started together, each with its input or with why it can't be right. */
	judge(readings: Reading[]): Array<Input | InvalidFieldError>;

	/** Items of one run with the same key are performed one after the other; undefined for any time. */
	exclusiveKey?(input: Input): string | undefined;

	/** @returns the item's output; undefined when the run stopped before anything was sent */
	perform(context: RequestContext, input: Input): Promise<IDataObject | undefined>;
}

/** The request that the description of the operation declares, with a body. */
export function declaredRequest(
	{ requestData: { options } }: RequestContext,
	body?: RequestBody,
): ServiceRequest {
	const { method = 'GET', url = '' } = options;
	return { method, path: url, ...(body === undefined ? {} : { body }) };
}

/**
 * The life of a run. n8n's engine calls `pagination` for each item of it (or of a batch) in one go:
 *
 * 1. The item joins its run and its try. Its parameters are read at once, and judged together with
 *    those of all items of the same go.
 * 2. It waits for items with the same key (`exclusive`), and for one of the places (`limiter`).
 * 3. The operation is performed. Its output takes its place in the run, paired with the item.
 * 4. An item that fails becomes an item of the output, if the node continues. Otherwise the try is
 *    closed: what is in progress finishes, nothing more starts, and the error says what is finished.
 * 5. "Retry On Fail" calls it for all items again: the finished ones give their output, the others
 *    start in a new try, once the last requests of the old one have ended.
 */
export function routingOf<Reading, Input>(
	operation: Operation<Reading, Input>,
	method: IHttpRequestMethods,
	url: string,
): INodePropertyRouting {
	return {
		request: { method, url },
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions, requestData) {
				return await runItem(operation, this, requestData);
			},
		},
	};
}

async function runItem<Reading, Input>(
	operation: Operation<Reading, Input>,
	node: IExecutePaginationFunctions,
	requestData: RequestContext['requestData'],
): Promise<INodeExecutionData[]> {
	const item = node.getItemIndex();
	const run = runOf(node);
	const ofTry = run.add(item);
	const { limiter, failures } = ofTry;
	let reading: Reading | undefined;

	const mayStart = (): boolean => {
		if (limiter.isClosed || ofTry.isAbandoned) return false;
		if (node.getExecutionCancelSignal()?.aborted === true) throw canceledError(false);
		return true;
	};

	const perform = async (judged: Input | InvalidFieldError): Promise<void> => {
		// Only now: an earlier try of "Retry On Fail" may have finished the item meanwhile.
		if (run.outputs.has(item)) return;
		if (judged instanceof InvalidFieldError) throw judged;
		if (run.finalFailures.has(item)) throw run.finalFailures.get(item);
		if (!mayStart()) return;
		// Its fields may hold expressions, so each item has a credential of its own.
		const credentialData = await node.getCredentials(operation.credential);
		const credential = readCredential(operation.credential, credentialData);
		if (!mayStart()) return;
		const context = { node, run, requestData, item, credential, credentialData, mayStart };
		const json = await operation.perform(context, judged).catch((error: unknown) => {
			// Before the place is free, so that the first to fail can tell of all.
			failures.set(item, error);
			throw error;
		});
		if (json === undefined) return;
		run.outputs.set(item, { json, pairedItem: { item } });
		run.unreachable = false;
	};

	const start = async (): Promise<void> => {
		if (limiter.isClosed) return;
		reading = operation.read(node, run.node);
		const judge = (readings: Reading[]) => operation.judge(readings);
		const judged = await run.judgeTogether(reading, judge);
		const isInvalid = judged instanceof InvalidFieldError;
		if (isInvalid && !run.outputs.has(item)) throw judged;
		const key = isInvalid ? undefined : operation.exclusiveKey?.(judged);
		const performInTurn = async () => await limiter.run(async () => await perform(judged));
		await (key === undefined ? performInTurn() : run.exclusive.run(key, performInTurn));
	};

	/** @throws NodeApiError where the node stops */
	const fail = async (error: unknown): Promise<INodeExecutionData[]> => {
		const place: [number, number] = [item, run.start.total];
		if (run.start.continuesOnFail) {
			return [failedItem(node, run.node, itemError(run.node, error, place))];
		}
		// Of a thousand bad rows, the first is told.
		if (failures.size === 0 || error instanceof ServiceError) failures.set(item, error);
		if (failures.keys().next().value !== item) return [];
		limiter.close();
		await limiter.whenIdle();
		// n8n looks at no item before; an earlier error would be one that nobody handles.
		await ofTry.allStarted;
		const { outputs, hasSent } = run;
		const rerunAdvice = operation.rerunAdvice?.(reading) ?? 'A new run sends all rows again.';
		throw itemError(run.node, error, place, { outputs, failures, hasSent, rerunAdvice });
	};

	try {
		await start();
		const output = run.outputs.get(item);
		return output === undefined ? [] : [output]; // none when the run stopped before
	} catch (error) {
		return await fail(error);
	}
}
