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
import { runOf, type Run, type Try } from './run';
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

	/**
	 * Items of one run with the same key are performed one after the other.
	 *
	 * @returns undefined when the item need not wait for any other
	 */
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
 * 1. The item joins its run, which n8n's own objects tell (`runOf`), and its try.
 * 2. Its parameters are read at once, and judged together with those of all items of the same go: so
 *    all are checked before one is sent.
 * 3. It waits for one of the places (`limiter`). A little before its turn its credential is read
 *    (`prefetch`). Items with the same key wait for each other (`exclusiveKey`).
 * 4. The operation is performed; its requests are repeated where that does no harm.
 * 5. Its output takes its place in the run, paired with the item.
 * 6. An item that fails becomes an item of the output, if the node continues. Otherwise the try is
 *    closed: what is in progress finishes, nothing more starts, and the error says what is finished.
 * 7. "Retry On Fail" calls `pagination` for all items again: the items that are finished give their
 *    output, the others start in a new try, once the last requests of the old one have ended.
 */
export function routingOf<Reading, Input>(
	operation: Operation<Reading, Input>,
): INodePropertyRouting {
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions, requestData) {
				const run = runOf(this);
				const item = this.getItemIndex();
				const life = new ItemLife(operation, this, requestData, run, run.add(item), item);
				return await life.output();
			},
		},
	};
}

function rethrow(error: unknown): never {
	throw error;
}

class ItemLife<Reading, Input> {
	private reading: Reading | undefined;

	private retries = 0;

	constructor(
		private readonly operation: Operation<Reading, Input>,
		private readonly node: IExecutePaginationFunctions,
		private readonly requestData: DeclarativeRestApiSettings.ResultOptions,
		private readonly run: Run,
		private readonly ofTry: Try,
		private readonly item: number,
	) {}

	async output(): Promise<INodeExecutionData[]> {
		try {
			return (await this.perform()) ?? [];
		} catch (error) {
			return await this.fail(error);
		}
	}

	/** @returns undefined when the item was not started, because the run had stopped */
	private async perform(): Promise<INodeExecutionData[] | undefined> {
		const { operation, node, run, ofTry, item } = this;
		if (ofTry.limiter.isClosed) return undefined;
		this.reading = operation.read(node, run.node);
		const judged = await run.judgeTogether(this.reading, (readings: Reading[]) =>
			operation.judge(readings),
		);
		if (judged instanceof InvalidFieldError && run.outputOf(item) === undefined) throw judged;
		const prefetchAndSend = async () =>
			await ofTry.prefetch.run(async () => {
				if (!this.mayStart()) return undefined;
				const credentials = this.readCredentials();
				// Its failure is heard when the item has its turn; an item that is not started has none.
				credentials.catch(() => undefined);
				return await ofTry.limiter.run(async () => await this.send(judged, await credentials));
			});
		const key = judged instanceof InvalidFieldError ? undefined : operation.exclusiveKey(judged);
		return await (key === undefined ? prefetchAndSend() : run.exclusive.run(key, prefetchAndSend));
	}

	/** Its fields may hold expressions, so each item has a credential of its own. */
	private async readCredentials(): Promise<Pick<RequestContext, 'credential' | 'credentialData'>> {
		const { credential: name } = this.operation;
		const credentialData = await this.node.getCredentials(name);
		return { credentialData, credential: readCredential(name, credentialData) };
	}

	private async send(
		judged: Input | InvalidFieldError,
		credentials: Pick<RequestContext, 'credential' | 'credentialData'>,
	): Promise<INodeExecutionData[] | undefined> {
		const { operation, node, run, ofTry, requestData, item } = this;
		const context: RequestContext = {
			...credentials,
			node,
			run,
			requestData,
			item,
			countRetry: () => this.retries++,
			mayStart: () => this.mayStart(),
		};
		// Only now: an earlier try of "Retry On Fail" may have finished the item meanwhile.
		const earlier = run.outputOf(item);
		if (earlier !== undefined) return earlier;
		if (judged instanceof InvalidFieldError) throw judged;
		if (run.finalFailures.has(item)) throw run.finalFailures.get(item);
		if (!this.mayStart()) return undefined;
		const json = await operation.perform(context, judged).catch((error: unknown) => {
			// Before the place is free, so that the first to fail can tell of all.
			ofTry.failures.set(item, error);
			return rethrow(error);
		});
		if (json === undefined) return undefined;
		const output = [
			{
				json: this.retries === 0 ? json : { ...json, retries: this.retries },
				pairedItem: { item },
			},
		];
		const { id, paymentPageLinkReference, paymentPageLink } = json;
		run.finish(output, { item, id, paymentPageLinkReference, paymentPageLink });
		return output;
	}

	/** @throws ServiceError when the execution was canceled */
	private mayStart(): boolean {
		if (this.ofTry.limiter.isClosed || this.ofTry.isAbandoned) return false;
		if (this.node.getExecutionCancelSignal()?.aborted === true) throw canceledError(false);
		return true;
	}

	/** @throws NodeApiError where the node stops */
	private async fail(error: unknown): Promise<INodeExecutionData[]> {
		const { node, run, item, retries, reading, operation } = this;
		const { limiter, failures, allStarted } = this.ofTry;
		const { total } = run.start;
		if (error instanceof FinalError) run.finalFailures.set(item, error);
		if (run.start.continuesOnFail) {
			return [failedItem(node, run.node, itemError(run.node, error, { item, total, retries }))];
		}
		// Of a thousand bad rows, the first is told.
		if (failures.size === 0 || error instanceof ServiceError) failures.set(item, error);
		if (failures.keys().next().value !== item) return [];
		limiter.close();
		await limiter.whenIdle();
		// n8n looks at no item before; an earlier error would be one that nobody handles.
		await allStarted;
		const { finished, hasSent } = run;
		const rerunAdvice = operation.rerunAdvice(reading);
		const stop = { finished, failures, hasSent, rerunAdvice };
		throw itemError(run.node, error, { item, total, retries }, stop);
	}
}
