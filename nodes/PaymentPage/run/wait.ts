import { sleep } from 'n8n-workflow';

import { ServiceError } from '../../shared/serviceError';

/** n8n takes an execution for canceled, and not for failed, only if the message has that word. */
export function cancelledError(): ServiceError {
	return new ServiceError(
		'The execution was canceled before this item was sent',
		'Run the workflow again; with If Reference Exists set to Skip it finishes what is missing.',
		{ kind: 'cancelled' },
	);
}

/** Milliseconds after which a stop is noticed: the only wait that nodes have cannot be cut short. */
const step = 200;

/**
 * Waits some milliseconds.
 *
 * @throws ServiceError when the user stops the execution
 */
export async function waitUnlessCancelled(
	milliseconds: number,
	signal: AbortSignal | undefined,
): Promise<void> {
	for (let left = milliseconds; left > 0 && !signal?.aborted; left -= step) {
		await sleep(Math.min(left, step));
	}
	if (signal?.aborted) throw cancelledError();
}
