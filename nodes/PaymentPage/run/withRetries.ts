import type { DeclarativeRestApiSettings, IExecutePaginationFunctions } from 'n8n-workflow';

import type { ServiceCredential } from '../../shared/credentials/credential';
import type { Envelope, ServiceRequest } from '../../shared/service/api';
import {
	ServiceError,
	isInDoubt,
	withDoubt,
	type Outcome,
} from '../../shared/service/serviceError';
import type { NodeRun } from './run';
import { send } from './send';
import { canceledError, waitUnlessCanceled } from './wait';

/** What belongs to one item. */
export interface ItemContext {
	node: IExecutePaginationFunctions;
	requestData: DeclarativeRestApiSettings.ResultOptions;
	run: NodeRun;
	/** Of the operation. */
	rerunAdvice: string;
	/** How often something was sent again for this item. */
	retries: number;
	/**
	 * Whether the item may be started; to be asked after a wait for something else than the service.
	 *
	 * @returns false when the run has stopped
	 * @throws ServiceError when the execution was canceled
	 */
	mayStart(): boolean;
}

/** What the calls of one item have in common. */
export interface CallContext extends ItemContext {
	credential: ServiceCredential;
}

const maxRetries = 3;

/** Milliseconds before the first retry; it doubles with each. */
const firstWait = 500;

/** The wait before a retry, in milliseconds: growing, and spread so that items do not come in step. */
export function retryWait(retry: number, retryAfter: number | undefined, random: number): number {
	if (retryAfter !== undefined) return retryAfter + random * 250;
	return firstWait * 2 ** retry * (0.5 + random);
}

function canRetry(error: ServiceError, isRepeatable: boolean, run: NodeRun): boolean {
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
 * Makes a call, and makes it again when that does no harm: when the service surely did nothing, or
 * when doing it twice is the same as doing it once.
 */
export async function call(
	context: CallContext,
	request: ServiceRequest,
	isRepeatable: boolean,
): Promise<Outcome<Envelope>> {
	const { node, requestData, credential, run } = context;
	const signal = node.getExecutionCancelSignal();
	// A question changes nothing, whether it was answered or not.
	const changes = request.method !== 'GET';
	let wasLost = false;
	for (let retry = 0; ; retry++) {
		if (!(await waitUnlessCanceled(run.busyUntil - Date.now(), signal))) break;
		const outcome = await send(node, requestData, request, credential);
		if (!(outcome instanceof ServiceError)) return outcome;
		const { kind, retryAfter } = outcome.details;
		wasLost ||= kind === 'canceled' || isInDoubt(outcome);
		if (kind === 'canceled') break;
		if (retry === maxRetries || !canRetry(outcome, isRepeatable, run)) {
			if (kind === 'notSent') run.unreachable = true;
			// Whoever may not repeat the call asks what came of it, and says that.
			return changes && wasLost && isRepeatable ? withDoubt(outcome) : outcome;
		}
		const wait = retryWait(retry, retryAfter, Math.random());
		// All items wait, not only this one: the service asked the merchant, not the item.
		if (retryAfter !== undefined) run.busyUntil = Math.max(run.busyUntil, Date.now() + wait);
		context.retries++;
		node.logger.info('Payment Page: sending again', { reason: outcome.message, retry: retry + 1 });
		if (!(await waitUnlessCanceled(wait, signal))) break;
	}
	return canceledError(context.rerunAdvice, changes && wasLost);
}
