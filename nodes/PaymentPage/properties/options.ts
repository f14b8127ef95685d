import type { IExecutePaginationFunctions, INodeProperties } from 'n8n-workflow';

/** The collection `options` of every operation. */
export interface Options {
	fullResponse?: boolean;
	maxParallelRequests?: number;
	ifReferenceExists?: 'create' | 'error' | 'skip';
}

const fullResponse: INodeProperties = {
	displayName: 'Full Response',
	name: 'fullResponse',
	type: 'boolean',
	default: false,
	description:
		'Whether to return the full response (code, message, data) instead of only the result',
};

const maxParallelRequests: INodeProperties = {
	displayName: 'Max Parallel Requests',
	name: 'maxParallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: 5,
	description: 'Maximum number of simultaneous requests',
};

/** @param more options that only this operation has */
export function optionsProperty(...more: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [fullResponse, ...more, maxParallelRequests],
	};
}

export function readOptions(context: IExecutePaginationFunctions): Options {
	return context.getNodeParameter('options', {}) as Options;
}
