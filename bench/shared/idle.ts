import { waitFor } from '../../scripts/shared/waitFor';

const pauseMilliseconds = 500;
/** n8n's own timers use a few hundredths of a core in queue mode. */
const idleMilliseconds = 0.1 * pauseMilliseconds;

/**
 * Waits until n8n does nothing: what it does after an execution, such as getting rid of an isolate,
 * belongs to that execution and not to who comes next.
 *
 * @param processorMilliseconds tells n8n's processor time so far
 * @returns the processor time then
 */
export async function untilIdle(processorMilliseconds: () => Promise<number>): Promise<number> {
	// Nothing is known before the second look.
	let last = -Infinity;
	return await waitFor(
		async () => {
			const before = last;
			last = await processorMilliseconds();
			return last - before < idleMilliseconds && last;
		},
		{
			what: 'n8n to be idle',
			timeoutMilliseconds: 120_000,
			intervalMilliseconds: pauseMilliseconds,
		},
	);
}
