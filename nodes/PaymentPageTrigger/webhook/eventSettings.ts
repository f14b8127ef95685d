import type { IWebhookFunctions } from 'n8n-workflow';

import { readVerificationSettings, type VerificationSettings } from '../verification/settings';

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
export function readEventSettings(node: IWebhookFunctions): EventSettings {
	try {
		const options = node.getNodeParameter('options', {}) as { ignoreRepeatedDeliveries?: unknown };
		return {
			verification: readVerificationSettings((name) => node.getNodeParameter(name, '')),
			acceptsUnverified: node.getNodeParameter('unverifiedEvents') === 'accept',
			ignoresRepeated: options.ignoreRepeatedDeliveries === true,
		};
	} catch (error) {
		node.logger.error(
			'Payment Page Trigger: its settings cannot be read, so it rejects all events',
			{
				error,
			},
		);
		return { verification: undefined, acceptsUnverified: false, ignoresRepeated: false };
	}
}
