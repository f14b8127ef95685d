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
		'Whether to return the answer of the service as it came (response code, message and data) instead of the useful part of it',
};

const maxParallelRequests: INodeProperties = {
	displayName: 'Max Parallel Requests',
	name: 'maxParallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: 5,
	description: 'How many items may be under way at the service at the same time',
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
