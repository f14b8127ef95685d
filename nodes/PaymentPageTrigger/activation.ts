import type { IHookFunctions } from 'n8n-workflow';

import { addressesOf, warnOfPrivateAddress } from './registration/addresses';
import { changeRegistration } from './registration/changeRegistration';
import { readFallbackUrl } from './registration/fallbackUrl';
import { describeError, hookError } from './registration/hookError';
import { announceChange, merchantOf } from './registration/merchants';
import {
	clearRecord,
	hasRecord,
	isRecorded,
	writeRecord,
	type Registration,
} from './registration/record';
import { registerUrl } from './registration/registerUrl';
import { registerHolderLater } from './registration/registerHolder';
import { readTriggerCredential, type TriggerCredential } from './registration/triggerCredential';
import { endTestListen, startTestListen } from './testListen';
import { triggerNodeOf } from './triggerNode';
import { withToken } from './urlToken';
import { readVerificationSettings } from './verification/settings';

/** @throws InvalidFieldError: an incomplete setting would reject every event */
function readHasToken(hook: IHookFunctions): boolean {
	const settings = readVerificationSettings((name) => hook.getNodeParameter(name, ''));
	// A pinned signature is the one proof that counts, so the address needs none.
	return settings.mode === 'automatic';
}

function registrationOf(
	hook: IHookFunctions,
	{ baseUrl, merchantId, key, keys }: TriggerCredential,
): Registration {
	const webhookUrl = addressesOf(hook).current;
	const hasToken = readHasToken(hook);
	return { webhookUrl, hasToken, baseUrl, merchantId: merchantId.digits, apiKey: key, keys };
}

/** Activations that n8n makes by itself: of its start, and of a new leader among several. */
const activationsByN8n = ['init', 'leadershipChange'];

/**
 * Whether the service should already know the address. Somebody who publishes wants it registered,
 * also when the service was told another address behind n8n's back. When n8n itself activates, what
 * was registered, with which credential, is compared with now: a changed credential or public
 * address leads to a new registration.
 */
export async function isRegistered(hook: IHookFunctions): Promise<boolean> {
	try {
		if (!activationsByN8n.includes(hook.getActivationMode())) return false;
		const registration = registrationOf(hook, await readTriggerCredential(hook));
		return isRecorded(hook.getWorkflowStaticData('node'), registration);
	} catch (error) {
		throw hookError(hook.getNode(), error);
	}
}

/** Publishes, or begins to listen for a test event; n8n shows the message of a failure. */
export async function register(hook: IHookFunctions): Promise<boolean> {
	try {
		readFallbackUrl(hook);
		const credential = await readTriggerCredential(hook);
		const registration = registrationOf(hook, credential);
		const { webhookUrl, hasToken } = registration;
		const url = hasToken ? withToken(webhookUrl, credential.keys.token) : webhookUrl;
		if (addressesOf(hook).isTest) {
			await startTestListen(hook, credential, url, hasToken);
			return true;
		}
		warnOfPrivateAddress(hook, webhookUrl);
		await changeRegistration(hook, credential, async (merchant) => {
			await registerUrl(hook, credential, url);
			merchant.holder = { node: triggerNodeOf(hook).identity, url, secret: credential.keys.secret };
			merchant.isOwed = false;
			delete merchant.borrower;
		});
		writeRecord(hook.getWorkflowStaticData('node'), registration);
		return true;
	} catch (error) {
		throw hookError(hook.getNode(), error);
	}
}

/**
 * Ends a test or a publication. It never throws: that would leave n8n's own webhook behind.
 */
export async function unregister(hook: IHookFunctions): Promise<boolean> {
	try {
		const staticData = hook.getWorkflowStaticData('node');
		if (addressesOf(hook).isTest) {
			endTestListen(hook);
		} else if (hasRecord(staticData)) {
			// Before anything can fail: with a record, the next activation would register nothing.
			clearRecord(staticData);
			await leave(hook);
		}
	} catch (error) {
		hook.logger.error(
			`Payment Page Trigger: could not end the registration. ${describeError(error)}`,
		);
	}
	return true;
}

/**
 * The workflow is unpublished. The service cannot unregister, so the fallback URL takes over, or the
 * address stays.
 */
async function leave(hook: IHookFunctions): Promise<void> {
	const url = readFallbackUrl(hook);
	const credential = await readTriggerCredential(hook);
	const merchant = merchantOf(credential);
	// Whatever was registered since keeps the address.
	if (merchant.holder !== undefined && merchant.holder.node !== triggerNodeOf(hook).identity)
		return;
	if (url === '') {
		announceChange(merchant);
		delete merchant.holder;
		hook.logger.info(
			'Payment Page Trigger: the service cannot unregister a webhook, so it keeps sending events to the URL of this workflow until another one is registered.',
		);
		return;
	}
	// At once: a test that has the address now gives it back to the fallback URL.
	merchant.holder = { url, secret: credential.keys.secret };
	// Not awaited: n8n publishes a changed trigger only after this hook.
	void registerHolderLater(hook, credential);
}
