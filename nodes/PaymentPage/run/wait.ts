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

/**
 * Waits some milliseconds.
 *
 * @throws ServiceError as soon as the user stops the execution
 */
export async function waitUnlessCancelled(
	milliseconds: number,
	signal: AbortSignal | undefined,
): Promise<void> {
	if (milliseconds > 0 && !signal?.aborted) {
		const stopWaiting = new AbortController();
		const cancelled = new Promise<void>((resolve) => {
			signal?.addEventListener('abort', () => resolve(), { signal: stopWaiting.signal });
		});
		await Promise.race([sleep(milliseconds), cancelled]);
		// Otherwise thousands of waits would leave as many listeners on one signal.
		stopWaiting.abort();
	}
	if (signal?.aborted) throw cancelledError();
}
