import type { IExecutePaginationFunctions, INodeExecutionData, NodeApiError } from 'n8n-workflow';

/**
 * A failed item in the output of a node that is set to continue: its input, and why it failed.
 *
 * It has no property `error` beside `json`, because n8n would then reduce `json` to the message.
 */
export function failedItem(
	node: IExecutePaginationFunctions,
	{ message, description, httpCode, context }: NodeApiError,
): INodeExecutionData {
	const { responseCode } = context.data as { responseCode?: string };
	const details = {
		description,
		...(httpCode === null ? {} : { httpCode }),
		...(responseCode === undefined ? {} : { responseCode }),
	};
	// For the error output n8n adds the input itself, and knows a failed item by these two keys alone.
	const hasErrorOutput = node.getNode().onError === 'continueErrorOutput';
	const input = hasErrorOutput ? {} : node.getInputData().json;
	return {
		json: { ...input, error: message, details },
		pairedItem: { item: node.getItemIndex() },
	};
}
