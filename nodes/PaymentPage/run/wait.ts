import { sleep } from 'n8n-workflow';

import { ServiceError, withDoubt } from '../../shared/errors';

/**
 * n8n takes an execution for canceled, and not for failed, only if the message has that word.
 *
 * @param rerunAdvice of the operation
 * @param isInDoubt whether the service may have done what was asked
 */
export function canceledError(rerunAdvice: string, isInDoubt: boolean): ServiceError {
	const error = new ServiceError(
		isInDoubt
			? 'The execution was canceled before it was known whether the request was processed'
			: 'The execution was canceled before this item was done',
		`Run the workflow again. ${rerunAdvice}`,
		{ kind: 'canceled' },
	);
	return isInDoubt ? withDoubt(error) : error;
}

/** Milliseconds after which a stop is noticed: the only wait that nodes have cannot be cut short. */
const step = 200;

/**
 * Waits some milliseconds.
 *
 * @returns false when the user stopped the execution meanwhile or before
 */
export async function waitUnlessCanceled(
	milliseconds: number,
	signal: AbortSignal | undefined,
): Promise<boolean> {
	for (let left = milliseconds; left > 0 && !signal?.aborted; left -= step) {
		await sleep(Math.min(left, step));
	}
	return !signal?.aborted;
}
