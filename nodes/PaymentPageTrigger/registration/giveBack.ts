import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { orThrow } from '../../shared/serviceError';
import { readTriggerCredential } from './credential';
import { readFallbackUrl } from './fallbackUrl';
import { wordsOf } from './hookError';
import { isUnpublished } from './probe';
import { persistently, registerUrl, registerWithToken } from './register';

/**
 * After a test listen the production address is registered again, whether an event came or not. For
 * a workflow that is not published, the fallback address is a better heir. It never throws.
 *
 * @param production the production address, without the token
 * @returns whether the service knows another address than the test's now
 */
export async function giveBack(
	node: IHookFunctions | IWebhookFunctions,
	production: string,
): Promise<boolean> {
	try {
		const fallbackUrl = readFallbackUrl(node);
		const isVacant = await isUnpublished(node, production);
		const outcome = await persistently(async () => {
			const credential = await readTriggerCredential(node);
			return isVacant && fallbackUrl !== ''
				? await registerUrl(node, credential, fallbackUrl)
				: await registerWithToken(node, credential, production);
		});
		orThrow(outcome);
		if (isVacant && fallbackUrl === '') {
			node.logger.warn(
				'Payment Page Trigger: the test has ended, and this workflow is not published, so events go nowhere now. Publish it, or unpublish and publish the workflow that should get them.',
			);
		}
		return true;
	} catch (error) {
		node.logger.error(
			`Payment Page Trigger: after the test, the production address could not be registered again, so events do not reach the published workflow. Unpublish it and publish it again as soon as the service answers. ${wordsOf(error)}`,
		);
		return false;
	}
}
