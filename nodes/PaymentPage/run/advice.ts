import type { ServiceError } from '../../shared/service/serviceError';

const whichKey = 'page operations need the private key, Webhook > Register needs the API key';

/** What helps after a failed request of this node, if there is better advice than the general one. */
export function withNodeAdvice(error: ServiceError): ServiceError {
	switch (error.details.statusCode) {
		case 401:
			return error.withAdvice(
				`Check the key in the credential: ${whichKey}, each from its own place at the service.`,
			);
		case 403:
			return error.withAdvice(
				`Check that the key belongs to this merchant ID and may do this; ${whichKey}.`,
			);
		case 429:
			return error.withAdvice(
				'Lower Max Parallel Requests in the options of the node, or set batching in its request options, and run it again.',
			);
		default:
			return error;
	}
}
