import type { ServiceError } from '../../shared/errors';

/** What helps after a failed request of this node, if there is better advice than the general one. */
export function withNodeAdvice(error: ServiceError): ServiceError {
	if (error.details.statusCode !== 429) return error;
	return error.withAdvice(
		"Lower 'Max Parallel Requests' in the node's options, or set 'Batching' in its request options, and run it again.",
	);
}
