import { sleep, type IHookFunctions, type IWebhookFunctions } from 'n8n-workflow';

import { failureOf } from '../../shared/errors';
import { describeError } from './hookError';
import { announceChange, merchantOf, runExclusive, type Merchant } from './merchants';
import { registerUrl } from './registerUrl';
import type { TriggerCredential } from './triggerCredential';

const tries = 4;

/** Milliseconds before the second try; it doubles with each. */
const firstWait = 500;

/**
 * Registers the holder's address again, for nobody waits for it and nobody would repeat it: with a
 * few tries, as long as no later change is announced. It is part of a change (`runExclusive`).
 */
export async function registerHolder(
	node: IHookFunctions | IWebhookFunctions,
	credential: TriggerCredential,
	merchant: Merchant,
): Promise<void> {
	const { holder } = merchant;
	if (holder === undefined) return;
	merchant.isOwed = true;
	const isLatest = announceChange(merchant);
	for (let retry = 0; isLatest(); retry++) {
		try {
			await registerUrl(node, credential, holder.url, holder.secret);
			merchant.isOwed = false;
			return;
		} catch (error) {
			const failure = failureOf(error);
			if (failure.details.kind === 'rejected' || retry === tries - 1) {
				merchant.isOwed = false;
				throw failure;
			}
		}
		await sleep(firstWait * 2 ** retry);
	}
}

/**
 * Milliseconds in which a trigger that was only changed is published again: n8n ends the old
 * version before it begins the new one, and tells neither which of the two it is about.
 */
const timeToRepublish = 5_000;

/**
 * Registers the holder's address some seconds later, unless another change is announced until then.
 * It is not awaited, and never throws.
 */
export async function registerHolderLater(
	node: IHookFunctions,
	credential: TriggerCredential,
): Promise<void> {
	const merchant = merchantOf(credential);
	merchant.isOwed = true;
	const isLatest = announceChange(merchant);
	await sleep(timeToRepublish);
	try {
		await runExclusive(merchant, async () => {
			// A test that has the address now gives it to the holder.
			if (isLatest() && merchant.borrower === undefined) {
				await registerHolder(node, credential, merchant);
			}
		});
	} catch (error) {
		node.logger.error(
			`Payment Page Trigger: ${merchant.holder?.url.split('?')[0] ?? 'the webhook URL'} could not be registered, so the service keeps sending events to the previous one. ${describeError(error)}`,
		);
	}
}
