import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { ServiceError, orThrow } from '../../shared/serviceError';
import { addressesOf } from '../registration/addresses';
import { readFallbackUrl } from '../registration/fallbackUrl';
import { describeError } from '../registration/hookError';
import { announceChange, merchantOf, runExclusive } from '../registration/merchants';
import type { Holder } from '../registration/merchants';
import { registerUrl, registerWithRetries } from '../registration/register';
import { readTriggerCredential } from '../registration/triggerCredential';
import type { TriggerCredential } from '../registration/triggerCredential';
import { withToken } from '../urlToken';
import type { ListenState } from './listenState';

/** @throws ServiceError when the service did not register the address */
export async function borrowUrl(
	hook: IHookFunctions,
	credential: TriggerCredential,
	url: string,
	listenId: string,
): Promise<void> {
	const merchant = merchantOf(credential);
	announceChange(merchant);
	await runExclusive(merchant, async () => {
		const outcome = await registerUrl(hook, credential, url);
		const mayBeRegistered =
			!(outcome instanceof ServiceError) ||
			outcome.details.kind === 'answerLost' ||
			outcome.details.kind === 'unreadable';
		// What may be registered has to be given back, too.
		if (mayBeRegistered) merchant.borrower = listenId;
		orThrow(outcome);
	});
}

/** Who gets the address after the test. */
function heirOf(
	node: IHookFunctions | IWebhookFunctions,
	{ keys }: TriggerCredential,
	holder: Holder | undefined,
	{ borrowedFrom }: ListenState,
): Holder | undefined {
	if (holder !== undefined) return holder;
	const { secret, token } = keys;
	// Most likely it is published: then this is where it waits.
	if (borrowedFrom === 'unknown') {
		return { url: withToken(addressesOf(node).production, token), secret };
	}
	const url = readFallbackUrl(node);
	return url === '' ? undefined : { url, secret };
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
		if (merchant.borrower !== state.id) return;
		delete merchant.borrower;
		const heir = heirOf(node, credential, merchant.holder, state);
		if (heir === undefined) {
			node.logger.warn(
				'Payment Page Trigger: the test has ended, and this workflow is not published, so events go nowhere now. Publish it, or unpublish and publish the workflow that should get them.',
			);
			return;
		}
		const isLatest = announceChange(merchant);
		const outcome = await runExclusive(
			merchant,
			async () =>
				await registerWithRetries(
					async () => await registerUrl(node, credential, heir.url, heir.secret),
					isLatest,
				),
		);
		if (outcome instanceof ServiceError) throw outcome;
	} catch (error) {
		node.logger.error(
			`Payment Page Trigger: after the test, the webhook URL could not be given back, so the published workflow gets no events. Unpublish it and publish it again as soon as the service answers. ${describeError(error)}`,
		);
	}
}
