import { sleep } from 'n8n-workflow';

import { ServiceError } from '../../shared/serviceError';

const thenSkip =
	'Run the workflow again; with If Reference Exists set to Skip it finishes what is missing.';

/**
 * n8n takes an execution for canceled, and not for failed, only if the message has that word.
 *
 * @param mayHaveHappened whether a request was sent whose answer was lost
 */
export function cancelledError(mayHaveHappened = false): ServiceError {
	return mayHaveHappened
		? new ServiceError(
				'The execution was canceled before it was certain what the service did',
				`What was asked may have happened all the same. ${thenSkip}`,
				{ kind: 'cancelled' },
			)
		: new ServiceError('The execution was canceled before this item was sent', thenSkip, {
				kind: 'cancelled',
			});
}

/** Milliseconds after which a stop is noticed: the only wait that nodes have cannot be cut short. */
const step = 200;

/**
 * Waits some milliseconds.
 *
 * @returns false when the user stopped the execution meanwhile or before
 */
export async function waitUnlessCancelled(
	milliseconds: number,
	signal: AbortSignal | undefined,
): Promise<boolean> {
	for (let left = milliseconds; left > 0 && !signal?.aborted; left -= step) {
		await sleep(Math.min(left, step));
	}
	return !signal?.aborted;
}
