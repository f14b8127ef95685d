import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isBlank, toWebAddress } from '../../shared/values';

/**
 * The address that takes the place of the trigger's; '' when the user gave none.
 *
 * @throws InvalidFieldError when it is not a web address
 */
export function readFallbackUrl(node: IHookFunctions | IWebhookFunctions): string {
	const { fallbackUrl = '' } = node.getNodeParameter('options', {}) as { fallbackUrl?: unknown };
	return isBlank(fallbackUrl) ? '' : toWebAddress('Fallback URL', fallbackUrl);
}
