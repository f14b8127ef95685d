import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { ServiceError, orThrow } from '../shared/serviceError';
import { nodeIdentity } from './nodeIdentity';
import { addressesOf, isPrivateAddress } from './registration/addresses';
import { readFallbackUrl } from './registration/fallbackUrl';
import { describeError, hookError } from './registration/hookError';
import { announceChange, merchantOf, runExclusive } from './registration/merchants';
import { clearRecord, hasRecord, isRecorded, writeRecord } from './registration/record';
import type { Registration } from './registration/record';
import { registerUrl, registerWithRetries } from './registration/register';
import { readTriggerCredential } from './registration/triggerCredential';
import type { TriggerCredential } from './registration/triggerCredential';
import { endTestListen, startTestListen } from './testListen';
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
			await startTestListen(hook, credential, url);
			return true;
		}
		warnOfPrivateAddress(hook, webhookUrl);
		const merchant = merchantOf(credential);
		announceChange(merchant);
		await runExclusive(merchant, async () => {
			orThrow(await registerUrl(hook, credential, url));
			merchant.holder = { node: nodeIdentity(hook), url, secret: credential.keys.secret };
			delete merchant.borrower;
		});
		writeRecord(hook.getWorkflowStaticData('node'), registration);
		return true;
	} catch (error) {
		throw hookError(hook.getNode(), error);
	}
}

function warnOfPrivateAddress(hook: IHookFunctions, url: string): void {
	if (!isPrivateAddress(url)) return;
	hook.logger.warn(
		`Payment Page Trigger: only this machine or network can reach ${url}, so a service on the Internet cannot send events to it. Set WEBHOOK_URL of n8n to its public address.`,
	);
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
			`Payment Page Trigger: the registration could not be ended. ${describeError(error)}`,
		);
	}
	return true;
}

/**
 * Milliseconds in which a trigger that was only changed is published again: n8n ends the old
 * version before it begins the new one, and tells neither which of the two it is about.
 */
const timeToRepublish = 5_000;

/**
 * The workflow is unpublished. The service cannot unregister, so the fallback URL takes over, or the
 * address stays.
 */
async function leave(hook: IHookFunctions): Promise<void> {
	const fallbackUrl = readFallbackUrl(hook);
	const credential = await readTriggerCredential(hook);
	const merchant = merchantOf(credential);
	// Whatever was registered since keeps the address.
	if (merchant.holder !== undefined && merchant.holder.node !== nodeIdentity(hook)) return;
	const isLatest = announceChange(merchant);
	if (fallbackUrl === '') {
		delete merchant.holder;
		hook.logger.info(
			'Payment Page Trigger: the service cannot unregister a webhook, so it keeps sending events to the address of this workflow until another one is registered.',
		);
		return;
	}
	// At once: a test that has the address now gives it back to the fallback URL.
	merchant.holder = { url: fallbackUrl, secret: credential.keys.secret };
	// Not awaited: n8n publishes a changed trigger only after this hook.
	void sleep(timeToRepublish).then(
		async () => await registerFallback(hook, credential, fallbackUrl, isLatest),
	);
}

async function registerFallback(
	hook: IHookFunctions,
	credential: TriggerCredential,
	fallbackUrl: string,
	isLatest: () => boolean,
): Promise<void> {
	const merchant = merchantOf(credential);
	await runExclusive(merchant, async () => {
		if (merchant.borrower !== undefined) return;
		const outcome = await registerWithRetries(
			async () => await registerUrl(hook, credential, fallbackUrl),
			isLatest,
		);
		if (outcome instanceof ServiceError) {
			hook.logger.error(
				`Payment Page Trigger: the fallback URL could not be registered, so the service keeps sending events to the address of this workflow. ${describeError(outcome)}`,
			);
		}
	});
}
