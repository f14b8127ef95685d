import type { IWebhookFunctions } from 'n8n-workflow';

import type { Trigger } from './memory';

/** Milliseconds; a flood of forgeries must not fill the log. */
const interval = 60_000;

/**
 * Logs what each event may cause: the first time, and then once a minute with a count.
 *
 * @param subject messages of one subject are counted together
 * @param text what the trigger did and why, and what to do about it
 */
export function warnOfEvent(
	{ logger }: Pick<IWebhookFunctions, 'logger'>,
	{ name, workflowName, memory: { logged } }: Pick<Trigger, 'name' | 'workflowName' | 'memory'>,
	subject: string,
	text: string,
): void {
	const now = Date.now();
	const { at, count } = logged.get(subject) ?? { at: -Infinity, count: 0 };
	if (Math.abs(now - at) < interval) {
		logged.set(subject, { at, count: count + 1 });
		return;
	}
	logged.set(subject, { at: now, count: 0 });
	const more = count === 0 ? '' : ` (${count} more since the last message)`;
	logger.warn(`Payment Page Trigger "${name}" in workflow "${workflowName}"${more}: ${text}`);
}
