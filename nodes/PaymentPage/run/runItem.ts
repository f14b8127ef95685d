import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { readCredential } from '../../shared/credential';
import { readOptions } from '../properties/options';
import type { Attempt } from './attempt';
import { failedItem } from './failedItem';
import { itemError } from './itemError';
import type { ItemContext, Operation, RequestContext, Result } from './operation';
import { runOf } from './run';
import { canceledError } from './wait';

/**
 * The life of a run. n8n's engine calls `pagination` once for each item, for all of them in one go (or
 * batch after batch), and looks at the results when it has called it for the last:
 *
 * 1. The item joins its run, which n8n's own objects tell (`runOf`), and its try (`Attempt`).
 * 2. Its parameters are read and checked at once: so all items are checked before one is sent.
 * 3. It waits for items with the same key (`exclusiveKey`), and for one of the places (`limiter`). A
 *    little before its turn its credential is read (`prefetch`).
 * 4. The operation is performed; its requests are repeated where that does no harm.
 * 5. Its output takes its place in the run, paired with the item.
 * 6. An item that fails becomes an item of the output, if the node continues. Otherwise the try is
 *    closed: what is in progress finishes, nothing more starts, and the error says what is done.
 * 7. "Retry On Fail" calls `pagination` for all items again: the items that are done give their
 *    output, the others start in a new try, once the last requests of the old one have ended.
 */
export function routingOf<Input>(operation: Operation<Input>): INodePropertyRouting {
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions, requestData) {
				return await runItem(this, requestData, operation);
			},
		},
	};
}

type Credentials = Pick<RequestContext, 'credential' | 'credentialData'>;

async function runItem<Input>(
	node: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	operation: Operation<Input>,
): Promise<INodeExecutionData[]> {
	const run = runOf(node);
	const attempt = run.add(node.getItemIndex());
	const mayStart = () => {
		if (attempt.limiter.isClosed || attempt.isAbandoned) return false;
		if (node.getExecutionCancelSignal()?.aborted) throw canceledError(operation.rerunAdvice, false);
		return true;
	};
	const context: ItemContext = { node, requestData, run, operation, retries: 0, mayStart };
	try {
		return (await performItem(context, operation, attempt)) ?? [];
	} catch (error) {
		return [await failItem(context, error, attempt)];
	}
}

/** @returns undefined when the item was not started, because the run had stopped */
async function performItem<Input>(
	context: ItemContext,
	operation: Operation<Input>,
	{ limiter, prefetch }: Attempt,
): Promise<INodeExecutionData[] | undefined> {
	const { node, run } = context;
	const input = operation.read(node);
	const options = readOptions(node);
	const perform = async (readingCredentials: Promise<Credentials>) =>
		await limiter.run(async () => {
			const credentials = await readingCredentials;
			const item = node.getItemIndex();
			const earlierOutput = run.outputOf(item);
			if (earlierOutput !== undefined) return earlierOutput;
			if (!context.mayStart()) return undefined;
			const requestContext = Object.assign(context, credentials);
			const result = await operation.perform(requestContext, input, options);
			if (result === undefined) return undefined;
			const json = toJson(result, options.fullResponse ?? false, context.retries);
			const output = [{ json, pairedItem: { item } }];
			const { id, paymentPageLinkReference } = result.output;
			run.finish(output, { item, id, paymentPageLinkReference });
			return output;
		});
	const prefetchAndPerform = async () =>
		await prefetch.run(async () => {
			if (limiter.isClosed) return undefined;
			const credentials = credentialsOf(context);
			// Whoever performs the item hears of a failure; an item that is not started has none.
			credentials.catch(() => undefined);
			return await perform(credentials);
		});
	const key = operation.exclusiveKey?.(input, options);
	return await (key === undefined
		? prefetchAndPerform()
		: run.exclusive.run(key, prefetchAndPerform));
}

/** Its fields may hold expressions, so each item has a credential of its own. */
async function credentialsOf({ node, operation }: ItemContext): Promise<Credentials> {
	const credentialData = await node.getCredentials(operation.credential);
	return { credentialData, credential: readCredential(operation.credential, credentialData) };
}

function toJson({ output, envelope }: Result, isFull: boolean, retries: number): IDataObject {
	const json = isFull && envelope !== undefined ? (envelope as unknown as IDataObject) : output;
	return retries === 0 ? json : { ...json, retries };
}

async function failItem(
	{ node, run, operation: { rerunAdvice }, retries }: ItemContext,
	error: unknown,
	{ limiter, allStarted }: Attempt,
): Promise<INodeExecutionData> {
	const failed = { itemIndex: node.getItemIndex(), retries };
	if (node.continueOnFail()) return failedItem(node, itemError(node.getNode(), error, failed));
	limiter.close();
	await limiter.whenIdle();
	// n8n looks at no item before; an earlier error would be one that nobody handles.
	await allStarted;
	throw itemError(node.getNode(), error, failed, { ...run.progress, rerunAdvice });
}
