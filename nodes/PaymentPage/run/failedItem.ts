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
	const pairedItem = { item: node.getItemIndex() };
	if (node.getNode().onError === 'continueErrorOutput') {
		// n8n adds the input itself. Both 1.123 and 2.41 take an item with just these two keys for a
		// failed one; with more, 1.123 would give it out among the good ones.
		return { json: { error: message, message: description }, pairedItem };
	}
	const { responseCode } = context.data as { responseCode?: string };
	const details = {
		description,
		...(httpCode === null ? {} : { httpCode }),
		...(responseCode === undefined ? {} : { responseCode }),
	};
	return { json: { ...node.getInputData().json, error: message, details }, pairedItem };
}
