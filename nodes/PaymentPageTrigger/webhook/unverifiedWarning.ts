import type { TriggerNode } from '../triggerNode';
import { LogInterval } from './logInterval';

const logInterval = new LogInterval();

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
	const more = logInterval.next(identity, now);
	if (more === undefined) return undefined;
	const what = isRejected ? 'rejected an event' : 'accepted an event as unverified: it came';
	const why = isWeaker
		? 'with a weaker proof than earlier events. If the service has stopped signing, unpublish and publish the workflow'
		: 'without a valid proof';
	return `Payment Page Trigger: "${name}" in workflow "${workflowName}" ${what} ${why}${more}. To see what arrives, listen for a test event: 'verified' and 'verifiedBy' in its output show what was found. If genuine events are rejected, check the webhook secret in the credential, then unpublish and publish the workflow.`;
}
