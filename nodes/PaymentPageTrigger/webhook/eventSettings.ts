import type { IWebhookFunctions } from 'n8n-workflow';

import type { TriggerNode } from '../triggerNode';
import { readVerificationSettings, type VerificationSettings } from '../verification/settings';
import { LogInterval } from './logInterval';

const logInterval = new LogInterval();

/** What the user chose about events. */
interface EventSettings {
	/** undefined verifies nothing. */
	verification: VerificationSettings | undefined;
	acceptsUnverified: boolean;
	ignoresRepeated: boolean;
}

/**
 * Reads the settings of the node. They were checked at activation; if they cannot be read now (an
 * expression that fails, say), nothing is verified. An error here would make n8n answer 500 and
 * start the workflow with it.
 */
export function readEventSettings(
	node: Pick<IWebhookFunctions, 'getNodeParameter' | 'logger'>,
	{ identity }: Pick<TriggerNode, 'identity'>,
	now: number,
): EventSettings {
	try {
		const options = node.getNodeParameter('options', {}) as { ignoreRepeatedDeliveries?: unknown };
		return {
			verification: readVerificationSettings((name) => node.getNodeParameter(name, '')),
			acceptsUnverified: node.getNodeParameter('unverifiedEvents') === 'accept',
			ignoresRepeated: options.ignoreRepeatedDeliveries === true,
		};
	} catch (error) {
		const more = logInterval.next(identity, now);
		if (more !== undefined) {
			node.logger.error(
				`Payment Page Trigger: the settings cannot be read, so all events are rejected${more}`,
				{ error },
			);
		}
		return { verification: undefined, acceptsUnverified: false, ignoresRepeated: false };
	}
}
