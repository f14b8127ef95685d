import { LimitedMap } from '../limitedMap';
import type { TriggerNode } from '../triggerNode';

/** Milliseconds; a flood of forgeries must not fill the log. */
const interval = 60_000;

/** By node: when an event was logged, and how many there were since. */
const logged = new LimitedMap<string, { at: number; count: number }>(1_000);

interface Unverified {
	/** Otherwise it started the workflow, because the user accepts unverified events. */
	isRejected: boolean;
	/** Whether it has a proof, but others before it had a stronger one. */
	isWeaker: boolean;
}

/**
 * What to log of an unverified event: of the first, and then of one a minute.
 *
 * @param now milliseconds of the clock
 * @returns undefined when nothing needs to be logged
 */
export function unverifiedWarning(
	{ identity, name, workflowName }: Omit<TriggerNode, 'staticData'>,
	{ isRejected, isWeaker }: Unverified,
	now: number,
): string | undefined {
	const { at, count } = logged.get(identity) ?? { at: -Infinity, count: 0 };
	if (now - at < interval) {
		logged.set(identity, { at, count: count + 1 });
		return undefined;
	}
	logged.set(identity, { at: now, count: 0 });
	const what = isRejected ? 'rejected an event' : 'accepted an event as unverified: it came';
	const why = isWeaker
		? 'with a weaker proof than earlier events. If the service has stopped signing, unpublish and publish the workflow'
		: 'without a valid proof';
	const more = count === 0 ? '' : ` (${count} more since the last message)`;
	return `Payment Page Trigger: "${name}" in workflow "${workflowName}" ${what} ${why}${more}. To see what arrives, listen for a test event: verified and verifiedBy in its output show what was found. If genuine events are rejected, check the webhook secret in the credential, then unpublish and publish the workflow.`;
}
