import type {
	DeclarativeRestApiSettings,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import {
	readCredential,
	type CredentialName,
	type ServiceCredential,
} from '../../shared/credential';
import { InvalidFieldError, ServiceError } from '../../shared/errors';
import type { RequestBody } from '../../shared/exactJson';
import type { ServiceRequest } from '../../shared/service/request';
import { failedItem, itemError } from './itemError';
import { runOf, type Run } from './run';
import { canceledError } from './send';

/** What an operation of the node consists of; `run/` does for all of them what they share. */
export interface Operation<Reading, Input> {
	credential: CredentialName;

	/** How to go on after the node stopped, in one sentence. */
	rerunAdvice(reading: Reading | undefined): string;

	/**
	 * Reads the parameters of one item. It must not wait for anything: so all items that n8n starts
	 * together are read and judged before the first request is sent.
	 *
	 * @throws InvalidFieldError
	 */
	read(context: IExecutePaginationFunctions, node: INode): Reading;

	/** Judges items that were started together, each with its input or with why it can't be right. */
	judge(readings: Reading[]): Array<Input | InvalidFieldError>;

	/** Items of one run with the same key are performed one after the other; undefined for any time. */
	exclusiveKey(input: Input): string | undefined;

	/**
	 * @returns the item's output; undefined when the run stopped before anything was sent
	 * @throws ServiceError or InvalidFieldError when the item fails
	 */
	perform(context: RequestContext, input: Input): Promise<IDataObject | undefined>;
}

/** What the requests of one item have in common. */
export interface RequestContext {
	node: IExecutePaginationFunctions;
	item: number;
	run: Run;
	/** What n8n made of the description of the node, for this item. */
	requestData: DeclarativeRestApiSettings.ResultOptions;
	credential: ServiceCredential;
	/** The same as n8n handed it over, and gets it back with each request. */
	credentialData: ICredentialDataDecryptedObject;
	countRetry(): void;
	/** Whether the run goes on; to be asked after a wait for something else than the service. */
	mayStart(): boolean;
}

/** The request that the description of the operation declares, with a body. */
export function declaredRequest(
	{ requestData: { options } }: RequestContext,
	body?: RequestBody,
): ServiceRequest {
	const { method = 'GET', url = '' } = options;
	return { method, path: url, ...(body === undefined ? {} : { body }) };
}

/** An error that no other try of the run can mend, since it would do again what has been done. */
export class FinalError extends ServiceError {}

/**
 * The life of a run. n8n's engine calls `pagination` once for each item, for all of them in one go (or
 * batch after batch), and looks at the results when it has called it for the last:
 *
 * 1. The item joins its run (`runOf`) and its try. Its parameters are read at once, and judged together
 *    with those of all items of the same go: so all are checked before one is sent.
 * 2. It waits for items with the same key (`exclusive`), and for one of the places (`limiter`).
 * 3. The operation is performed. Its output takes its place in the run, paired with the item.
 * 4. An item that fails becomes an item of the output, if the node continues. Otherwise the try is
 *    closed: what is in progress finishes, nothing more starts, and the error says what is finished.
 * 5. "Retry On Fail" calls `pagination` for all items again: the items that are finished give their
 *    output, the others start in a new try, once the last requests of the old one have ended.
 */
export function routingOf<Reading, Input>(
	operation: Operation<Reading, Input>,
): INodePropertyRouting {
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions, requestData) {
				return await runItem(operation, this, requestData);
			},
		},
	};
}

type Output = INodeExecutionData[] | undefined;

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
	let retries = 0;

	const mayStart = (): boolean => {
		if (limiter.isClosed || ofTry.isAbandoned) return false;
		if (node.getExecutionCancelSignal()?.aborted === true) throw canceledError(false);
		return true;
	};

	const perform = async (judged: Input | InvalidFieldError): Promise<Output> => {
		// Only now: an earlier try of "Retry On Fail" may have finished the item meanwhile.
		if (run.outputs.has(item)) return run.outputs.get(item);
		if (judged instanceof InvalidFieldError) throw judged;
		if (run.finalFailures.has(item)) throw run.finalFailures.get(item);
		if (!mayStart()) return undefined;
		// Its fields may hold expressions, so each item has a credential of its own.
		const credentialData = await node.getCredentials(operation.credential);
		const credential = readCredential(operation.credential, credentialData);
		if (!mayStart()) return undefined;
		const context: RequestContext = {
			...{ node, run, requestData, item, credential, credentialData, mayStart },
			countRetry: () => retries++,
		};
		const json = await operation.perform(context, judged).catch((error: unknown) => {
			// Before the place is free, so that the first to fail can tell of all.
			failures.set(item, error);
			return rethrow(error);
		});
		if (json === undefined) return undefined;
		const output = [{ json: retries === 0 ? json : { ...json, retries }, pairedItem: { item } }];
		const { id, paymentPageLinkReference, paymentPageLink } = json;
		run.outputs.set(item, output);
		run.finished.push({ item, id, paymentPageLinkReference, paymentPageLink });
		run.unreachable = false;
		return output;
	};

	/** @returns undefined when the item was not started, because the run had stopped */
	const start = async (): Promise<Output> => {
		if (limiter.isClosed) return undefined;
		reading = operation.read(node, run.node);
		const judge = (readings: Reading[]) => operation.judge(readings);
		const judged = await run.judgeTogether(reading, judge);
		const isInvalid = judged instanceof InvalidFieldError;
		if (isInvalid && !run.outputs.has(item)) throw judged;
		const key = isInvalid ? undefined : operation.exclusiveKey(judged);
		const performInTurn = async () => await limiter.run(async () => await perform(judged));
		return await (key === undefined ? performInTurn() : run.exclusive.run(key, performInTurn));
	};

	/** @throws NodeApiError where the node stops */
	const fail = async (error: unknown): Promise<INodeExecutionData[]> => {
		const failed = { item, total: run.start.total, retries };
		if (error instanceof FinalError) run.finalFailures.set(item, error);
		if (run.start.continuesOnFail) {
			return [failedItem(node, run.node, itemError(run.node, error, failed))];
		}
		// Of a thousand bad rows, the first is told.
		if (failures.size === 0 || error instanceof ServiceError) failures.set(item, error);
		if (failures.keys().next().value !== item) return [];
		limiter.close();
		await limiter.whenIdle();
		// n8n looks at no item before; an earlier error would be one that nobody handles.
		await ofTry.allStarted;
		const { finished, hasSent } = run;
		const rerunAdvice = operation.rerunAdvice(reading);
		throw itemError(run.node, error, failed, { finished, failures, hasSent, rerunAdvice });
	};

	try {
		return (await start()) ?? [];
	} catch (error) {
		return await fail(error);
	}
}

function rethrow(error: unknown): never {
	throw error;
}
