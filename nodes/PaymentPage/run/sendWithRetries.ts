import type { Envelope, ServiceRequest } from '../../shared/service/api';
import { failureOf, isInDoubt, withDoubt, type ServiceError } from '../../shared/errors';
import { withNodeAdvice } from './advice';
import type { RequestContext } from './operation';
import type { Run } from './run';
import { send } from './send';
import { canceledError, waitUnlessCanceled } from './wait';

const maxRetries = 3;

/** Milliseconds before the first retry; it doubles with each. */
const firstWait = 500;

/** The wait before a retry, in milliseconds: growing, and spread so that items do not come in step. */
export function retryWait(retry: number, retryAfter: number | undefined, random: number): number {
	if (retryAfter !== undefined) return retryAfter + random * 250;
	return firstWait * 2 ** retry * (0.5 + random);
}

function canRetry(error: ServiceError, isRepeatable: boolean, run: Run): boolean {
	switch (error.details.kind) {
		case 'notSent':
			return !run.unreachable;
		case 'busy':
			return true;
		case 'answerLost':
			return isRepeatable;
		default:
			return false;
	}
}

/**
 * Sends a request, and sends it again when that does no harm: when the service surely did nothing, or
 * when doing it twice is the same as doing it once.
 *
 * @throws ServiceError
 */
export async function sendWithRetries(
	context: RequestContext,
	request: ServiceRequest,
	isRepeatable: boolean,
): Promise<Envelope> {
	const { node, run } = context;
	const signal = node.getExecutionCancelSignal();
	// A question changes nothing, whether it was answered or not.
	const changes = request.method !== 'GET';
	let wasLost = false;
	for (let retry = 0; ; retry++) {
		if (!(await waitUnlessCanceled(run.busyUntil - Date.now(), signal))) break;
		try {
			return await send(context, request);
		} catch (error) {
			const failure = withNodeAdvice(failureOf(error));
			const { kind, retryAfter } = failure.details;
			wasLost ||= kind === 'canceled' || isInDoubt(failure);
			if (kind === 'canceled') break;
			if (retry === maxRetries || !canRetry(failure, isRepeatable, run)) {
				if (kind === 'notSent') run.unreachable = true;
				// Whoever may not repeat the request asks what came of it, and says that.
				throw changes && wasLost && isRepeatable ? withDoubt(failure) : failure;
			}
			const wait = retryWait(retry, retryAfter, Math.random());
			// All items wait, not only this one: the service asked the merchant, not the item.
			if (retryAfter !== undefined) run.busyUntil = Math.max(run.busyUntil, Date.now() + wait);
			context.retries++;
			node.logger.info('Payment Page: retrying a request', {
				reason: failure.message,
				retry: retry + 1,
			});
			if (!(await waitUnlessCanceled(wait, signal))) break;
		}
	}
	throw canceledError(context.operation.rerunAdvice, changes && wasLost);
}
