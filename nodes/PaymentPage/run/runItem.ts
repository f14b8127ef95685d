import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { Operation, Result } from '../operation';
import { readOptions } from '../options';
import { itemError } from './itemError';
import { nodeRunOf } from './nodeRun';
import type { NodeRun } from './nodeRun';
import { keepAnswer } from './send';
import { cancelledError } from './wait';

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
	const item = node.getItemIndex();
	const run = nodeRunOf(node);
	const earlierOutput = run.begin(item);
	if (earlierOutput !== undefined) return earlierOutput;
	try {
		const result = await performItem(node, requestData, operation, run);
		if (result === undefined) return [];
		const items = [{ json: result.json, pairedItem: { item } }];
		run.finish(item, items, result.identity);
		return items;
	} catch (error) {
		return await failItem(node, run, error);
	}
}

/** @returns undefined when the item was not started, because the run had stopped */
async function performItem<Input>(
	node: IExecutePaginationFunctions,
	requestData: RequestData,
	operation: Operation<Input>,
	run: NodeRun,
) {
	// Before anything waits: n8n begins all items in one go, so all are read before one is sent.
	const input = operation.read(node);
	const options = readOptions(node);
	const perform = async () =>
		await run.limiter.run(async () => {
			const credential = await run.getCredential(node, operation.credential);
			if (run.stopped) return undefined;
			if (node.getExecutionCancelSignal()?.aborted) throw cancelledError();
			const context = { node, requestData, credential, run, retries: 0 };
			const result = await operation.perform(context, input, options);
			return {
				json: toJson(result, options.fullResponse ?? false, context.retries),
				identity: {
					item: node.getItemIndex(),
					id: result.output.id,
					paymentPageLinkReference: result.output.paymentPageLinkReference,
				},
			};
		});
	const turn = operation.turnOf?.(input, options);
	return await (turn === undefined ? perform() : run.inTurn(turn, perform));
}

function toJson({ output, envelope }: Result, isFull: boolean, retries: number): IDataObject {
	if (isFull && envelope !== undefined) return { ...envelope } as IDataObject;
	return retries === 0 ? output : { ...output, retries };
}

/**
 * With "continue on fail", the failed item takes its place in the output. Otherwise the node stops:
 * nothing more is started, and what is under way may finish, so that the error can tell all that
 * has been done.
 */
async function failItem(
	node: IExecutePaginationFunctions,
	run: NodeRun,
	error: unknown,
): Promise<INodeExecutionData[]> {
	const item = node.getItemIndex();
	if (node.continueOnFail()) {
		const failure = itemError(node.getNode(), error, item);
		return [{ json: { error: failure.message }, error: failure, pairedItem: { item } }];
	}
	run.stopped = true;
	await run.limiter.whenIdle();
	const total = node.getExecuteData().data.main?.[0]?.length ?? 1;
	throw itemError(node.getNode(), error, item, { done: run.done, total });
}
