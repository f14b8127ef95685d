import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { failureOf, isInDoubt } from '../../shared/errors';
import { triggerNodeOf } from '../triggerNode';
import { changeRegistration } from '../registration/changeRegistration';
import { describeError } from '../registration/hookError';
import { merchantOf, runExclusive } from '../registration/merchants';
import { registerUrl } from '../registration/registerUrl';
import { registerHolder } from '../registration/registerHolder';
import { readTriggerCredential, type TriggerCredential } from '../registration/triggerCredential';
import { heirOf, type ListenState } from './listenState';

/** @throws ServiceError when it is not certain that the service registered the address */
export async function borrowUrl(
	hook: IHookFunctions,
	credential: TriggerCredential,
	url: string,
	state: ListenState,
): Promise<void> {
	await changeRegistration(hook, credential, async (merchant) => {
		try {
			await registerUrl(hook, credential, url);
			merchant.borrower = state.id;
		} catch (error) {
			const failure = failureOf(error);
			if (isInDoubt(failure)) merchant.borrower = state.id;
			// n8n ends such a test without the state that `delete` needs.
			void restoreUrl(hook, state);
			throw failure;
		}
	});
}

/**
 * Gives the address back to whoever had it, once: not if that has happened, or if another address
 * was registered since. It never throws.
 */
export async function restoreUrl(
	node: IHookFunctions | IWebhookFunctions,
	state: ListenState,
): Promise<void> {
	try {
		const credential = await readTriggerCredential(node);
		const merchant = merchantOf(credential);
		await runExclusive(merchant, async () => {
			if (merchant.borrower !== state.id) return;
			delete merchant.borrower;
			const heirUrl = heirOf(state, credential.keys);
			if (merchant.holder === undefined && heirUrl !== '') {
				const isOwn = state.borrowedFrom === 'unknown';
				merchant.holder = {
					...(isOwn ? { node: triggerNodeOf(node).identity } : {}),
					url: heirUrl,
					secret: credential.keys.secret,
				};
			}
			if (merchant.holder === undefined) {
				node.logger.warn(
					'Payment Page Trigger: the test has ended, and this workflow is not published, so nothing receives events now. Publish it, or unpublish and publish the workflow that should receive them.',
				);
				return;
			}
			await registerHolder(node, credential, merchant);
			if (state.borrowedFrom === 'unknown' && merchant.holder.url === heirUrl) {
				node.logger.warn(
					'Payment Page Trigger: after the test, the production URL was registered with the credential of the test. If the published workflow uses another credential, unpublish and publish it.',
				);
			}
		});
	} catch (error) {
		node.logger.error(
			`Payment Page Trigger: after the test, the webhook URL could not be given back, so the published workflow receives no events. When the service responds again, unpublish and publish the workflow. ${describeError(error)}`,
		);
	}
}
