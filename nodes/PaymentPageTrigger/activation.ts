import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { addressesOf, isOwnMachine, isPrivateAddress } from './addresses';
import { fingerprintOf, readTriggerCredential, type TriggerCredential } from './keys';
import { triggerOf, type Trigger } from './memory';
import { change, merchantOf, otherReceiver, settle } from './registration/merchant';
import { recordOf, timeAfter, writeRecord } from './registration/record';
import { describeError, hookError, registerUrl } from './registration/registerUrl';
import { readSettings, urlToRegister, type Settings } from './settings';
import { startTest } from './testListen/listen';
import { isStronger, kindOf } from './verification/verify';

/** Activations that n8n makes by itself: of its start, and of a new leader among several. */
const activationsByN8n = ['init', 'leadershipChange'];

/** What would be registered now. */
interface Wish {
	settings: Settings;
	credential: TriggerCredential;
	url: string;
	fingerprint: string;
}

async function readWish(hook: IHookFunctions): Promise<Wish> {
	const settings = readSettings(hook);
	const credential = await readTriggerCredential(hook);
	const url = urlToRegister(addressesOf(hook).production, settings, credential.keys);
	return { settings, credential, url, fingerprint: fingerprintOf(credential, url) };
}

/** Runs a part of an activation, and says in n8n's way why it failed. */
async function activate<Result>(
	hook: IHookFunctions,
	part: () => Promise<Result>,
): Promise<Result> {
	try {
		return await part();
	} catch (error) {
		// n8n calls `delete` next, as at the end of a publication that had succeeded.
		if (!addressesOf(hook).isTest) triggerOf(hook).memory.hasFailed = true;
		throw hookError(hook.getNode(), error);
	}
}

/**
 * Whether the service should already know the address. Somebody who publishes wants it registered,
 * also when the service was told another one behind n8n's back. When n8n itself activates, a changed
 * credential or public address leads to a new registration.
 */
export async function isRegistered(hook: IHookFunctions): Promise<boolean> {
	if (!activationsByN8n.includes(hook.getActivationMode())) return false;
	return await activate(hook, async () => {
		const { fingerprint } = await readWish(hook);
		return recordOf(triggerOf(hook)).fingerprint === fingerprint;
	});
}

/** Publishes, or begins to listen for a test event; n8n shows the message of a failure. */
export async function register(hook: IHookFunctions): Promise<boolean> {
	await activate(hook, async () => {
		if (addressesOf(hook).isTest) await startTest(hook);
		else await publish(hook);
	});
	return true;
}

async function publish(hook: IHookFunctions): Promise<void> {
	const trigger = triggerOf(hook);
	const { settings, credential, url, fingerprint } = await readWish(hook);
	const activation = hook.getActivationMode();
	const before = recordOf(trigger);
	// An edit has ended the record. n8n also calls this when it only adds lost addresses again.
	if (activation === 'update' && before.fingerprint === fingerprint) return;
	checkAddress(hook, url, credential.baseUrl);
	const at = timeAfter(before);
	const error = await change(merchantOf(credential.merchant), {
		owner: trigger.identity,
		address: addressesOf(hook).production,
		at,
		register: async () => await registerUrl(hook, credential, url),
		logger: hook.logger,
	});
	if (error !== undefined) throw hookError(hook.getNode(), error);
	delete trigger.memory.hasFailed;
	// What was learned survives an edit; somebody who unpublishes and publishes starts again.
	const isEdit = activation !== 'activate' && before.merchant === credential.merchant;
	const strongestProof = isEdit ? before.strongestProof : undefined;
	writeRecord(trigger, {
		at,
		merchant: credential.merchant,
		fingerprint,
		...(strongestProof === undefined ? {} : { strongestProof }),
	});
	trigger.memory.registered = { fingerprint, keys: credential.keys };
	const required = kindOf(settings.requiredProof);
	if (
		required !== undefined &&
		strongestProof !== undefined &&
		isStronger(strongestProof, required)
	) {
		hook.logger.warn(
			`Payment Page Trigger: 'Required Proof' is now "${settings.requiredProof}", although earlier events had a stronger proof (${strongestProof}).`,
		);
	}
}

/** @throws NodeOperationError when no service but one on this machine could send events */
function checkAddress(hook: IHookFunctions, url: string, baseUrl: string): void {
	if (!isPrivateAddress(url)) return;
	const [address] = url.split('?');
	const advice = 'Set WEBHOOK_URL to the public URL of n8n.';
	if (isOwnMachine(url) && !isPrivateAddress(baseUrl)) {
		throw new NodeOperationError(
			hook.getNode(),
			`The service cannot send events to ${address}: only this machine can reach it. ${advice}`,
		);
	}
	hook.logger.warn(
		`Payment Page Trigger: only this machine or network can reach ${address}, so a service on the Internet cannot send events to it. ${advice}`,
	);
}

/** Ends a test or a publication. It never throws: that would leave n8n's own webhook behind. */
export async function unregister(hook: IHookFunctions): Promise<boolean> {
	try {
		const trigger = triggerOf(hook);
		// A test has registered nothing, and what failed has left things as they were.
		if (addressesOf(hook).isTest) return true;
		if (trigger.memory.hasFailed === true) delete trigger.memory.hasFailed;
		else await leave(hook, trigger);
	} catch (error) {
		hook.logger.error(
			`Payment Page Trigger: the fallback URL could not be registered. ${describeError(error)}`,
		);
	}
	return true;
}

/** Milliseconds in which an edited trigger is published again: n8n ends the old version first. */
const timeToRepublish = 5_000;

/**
 * The workflow is unpublished, or n8n ends the old version of an edited trigger. The service cannot
 * unregister, so the fallback URL takes over, or the address stays.
 */
async function leave(hook: IHookFunctions, trigger: Trigger): Promise<void> {
	const record = recordOf(trigger);
	if (record.fingerprint === undefined) return;
	const { fingerprint, merchant: key, strongestProof } = record;
	const at = timeAfter(record);
	writeRecord(trigger, { at, merchant: key, ...(strongestProof && { strongestProof }) });
	const merchant = merchantOf(key);
	if (merchant.wanted?.owner === trigger.identity) merchant.wanted = undefined;
	const other = otherReceiver(merchant, trigger.identity, record.at);
	const { fallbackUrl } = readSettings(hook);
	if (other !== undefined) {
		hook.logger.info(
			`Payment Page Trigger: the service sends the events to ${other.address}, so unpublishing this workflow changes nothing there.`,
		);
		return;
	}
	if (fallbackUrl === '') {
		hook.logger.info(
			'Payment Page Trigger: the service cannot unregister a webhook, so it keeps sending events to the URL of this workflow until another one is registered.',
		);
		return;
	}
	const { credential, fingerprint: current } = await readWish(hook);
	if (current !== fingerprint) {
		hook.logger.warn(
			'Payment Page Trigger: the credential has changed since this workflow was published, so the fallback URL was not registered.',
		);
		return;
	}
	merchant.wanted = {
		address: fallbackUrl.split('?')[0] ?? '',
		at,
		from: Date.now() + timeToRepublish,
		register: async () => await registerUrl(hook, credential, fallbackUrl),
		logger: hook.logger,
	};
	void settle(merchant);
}
