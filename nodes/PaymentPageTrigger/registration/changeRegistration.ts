import type { IHookFunctions } from 'n8n-workflow';

import { announceChange, merchantOf, runExclusive, type Merchant } from './merchants';
import { registerHolderLater } from './registerHolder';
import type { TriggerCredential } from './triggerCredential';

/**
 * Changes a merchant's address because a person asked for it. That stops what still was to register
 * the holder; if the change fails, the holder's turn comes again.
 *
 * @throws what the change throws
 */
export async function changeRegistration(
	hook: IHookFunctions,
	credential: TriggerCredential,
	change: (merchant: Merchant) => Promise<void>,
): Promise<void> {
	const merchant = merchantOf(credential);
	announceChange(merchant);
	let isDone = false;
	try {
		await runExclusive(merchant, async () => await change(merchant));
		isDone = true;
	} finally {
		if (!isDone && merchant.isOwed === true) void registerHolderLater(hook, credential);
	}
}
