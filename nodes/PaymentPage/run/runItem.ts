import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import {
	readCredential,
	type CredentialName,
	type ServiceCredential,
} from '../../shared/credentials/credential';
import type { Operation, Result } from './operation';
import { readOptions } from '../properties/options';
import type { ItemContext } from './withRetries';
import { failedItem } from './failedItem';
import { itemError } from './itemError';
import { nodeRunOf, type Attempt } from './run';
import { keepAnswer } from './send';
import { canceledError } from './wait';

type RequestData = DeclarativeRestApiSettings.ResultOptions;

/**
 * The routing of an operation: n8n's engine calls `pagination` around the request of each item
 * (n8n facts, "The declarative engine"), which is the place to pace, to retry and to pair.
 */
export function routingOf<Input>(operation: Operation<Input>): INodePropertyRouting {
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions, requestData) {
				return await runItem(this, requestData, operation);
			},
		},
		output: { postReceive: [keepAnswer] },
	};
}

async function runItem<Input>(
	node: IExecutePaginationFunctions,
	requestData: RequestData,
	operation: Operation<Input>,
): Promise<INodeExecutionData[]> {
	const run = nodeRunOf(node);
	const attempt = run.begin(node.getItemIndex());
	const { rerunAdvice } = operation;
	const mayStart = () => {
		if (attempt.limiter.isClosed || run.isAbandoned) return false;
		if (node.getExecutionCancelSignal()?.aborted) throw canceledError(rerunAdvice, false);
		return true;
	};
	const context: ItemContext = { node, requestData, run, rerunAdvice, retries: 0, mayStart };
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
	{ limiter, prefetch, before }: Attempt,
): Promise<INodeExecutionData[] | undefined> {
	const { node, run } = context;
	// Before anything waits: n8n begins all items in one go, so all are read before one is sent.
	const input = operation.read(node);
	const options = readOptions(node);
	const perform = async (readingCredential: Promise<ServiceCredential>) =>
		await limiter.run(async () => {
			const credential = await readingCredential;
			await before;
			const item = node.getItemIndex();
			const earlierOutput = run.outputOf(item);
			if (earlierOutput !== undefined) return earlierOutput;
			if (!context.mayStart()) return undefined;
			const result = await operation.perform(
				Object.assign(context, { credential }),
				input,
				options,
			);
			if (result === undefined) return undefined;
			const json = toJson(result, options.fullResponse ?? false, context.retries);
			const output = [{ json, pairedItem: { item } }];
			const { id, paymentPageLinkReference } = result.output;
			run.finish(output, { item, id, paymentPageLinkReference });
			return output;
		});
	const getReadyAndPerform = async () =>
		await prefetch.run(async () => {
			if (limiter.isClosed) return undefined;
			const credential = credentialOf(node, operation.credential);
			// Whoever performs the item hears of a failure; an item that is not started has none.
			credential.catch(() => undefined);
			return await perform(credential);
		});
	const turn = operation.exclusiveKey?.(input, options);
	return await (turn === undefined
		? getReadyAndPerform()
		: run.turns.take(turn, getReadyAndPerform));
}

/** Its fields may hold expressions, so each item has a credential of its own. */
async function credentialOf(
	node: IExecutePaginationFunctions,
	name: CredentialName,
): Promise<ServiceCredential> {
	return readCredential(name, await node.getCredentials(name));
}

function toJson({ output, envelope }: Result, isFull: boolean, retries: number): IDataObject {
	const json = isFull && envelope !== undefined ? (envelope as unknown as IDataObject) : output;
	return retries === 0 ? json : { ...json, retries };
}

/**
 * With "continue on fail", the failed item takes its place in the output. Otherwise the node stops:
 * nothing more is started, and what is under way may finish, so that the error can tell all that
 * has been done.
 */
async function failItem(
	{ node, run, rerunAdvice, retries }: ItemContext,
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
