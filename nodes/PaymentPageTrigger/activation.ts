import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { addressesOf, isOwnMachine, isPrivateAddress } from './addresses';
import { readTriggerCredential, toRegister } from './keys';
import { triggerOf, type Trigger } from './memory';
import * as merchants from './registration/merchant';
import { recordOf, timeAfter, writeRecord } from './registration/record';
import { describeError, hookError } from './registration/registerUrl';
import { readSettings } from './settings';
import { startTest } from './testListen';
import { isStronger, kindOf } from './verification/verify';

/** What would be registered now. */
async function readWish(hook: IHookFunctions) {
	const settings = readSettings(hook);
	const credential = await readTriggerCredential(hook);
	const { production } = addressesOf(hook);
	return { settings, credential, ...toRegister(credential, production, settings) };
}

/**
 * Whether the service should already know the address: only when n8n activates by itself (fact 37),
 * and nothing has changed. A person who publishes wants it registered again.
 */
export async function isRegistered(hook: IHookFunctions): Promise<boolean> {
	if (!['init', 'leadershipChange'].includes(hook.getActivationMode())) return false;
	try {
		return recordOf(triggerOf(hook)).fingerprint === (await readWish(hook)).fingerprint;
	} catch {
		return false; // `create` meets the same failure, and says so.
	}
}

/** Publishes, or begins to listen for a test event; n8n shows the message of a failure. */
export async function register(hook: IHookFunctions): Promise<boolean> {
	try {
		if (addressesOf(hook).isTest) await startTest(hook);
		else await publish(hook);
		return true;
	} catch (error) {
		throw hookError(hook.getNode(), error);
	}
}

async function publish(hook: IHookFunctions): Promise<void> {
	const trigger = triggerOf(hook);
	const { settings, credential, url, fingerprint } = await readWish(hook);
	const activation = hook.getActivationMode();
	const before = recordOf(trigger);
	// An edit has ended the record. n8n also calls this when it only adds lost addresses (fact 28).
	if (activation === 'update' && before.fingerprint === fingerprint) return;
	checkAddress(hook, url, credential.baseUrl);
	// If it fails, n8n calls `delete`, which then finds nothing to end.
	endRecord(trigger);
	const at = timeAfter(recordOf(trigger).at);
	const registration = merchants.registrationOf(hook, credential, url, at, trigger);
	await merchants.change(merchants.merchantOf(credential.merchant), registration);
	// What was learned survives an edit; somebody who unpublishes and publishes starts again.
	const isEdit = activation !== 'activate' && before.merchant === credential.merchant;
	const learned = isEdit && before.strongestProof ? { strongestProof: before.strongestProof } : {};
	writeRecord(trigger, { at, merchant: credential.merchant, fingerprint, ...learned });
	trigger.memory.registered = { fingerprint, keys: credential.keys };
	const { requiredProof } = settings;
	const required = kindOf(requiredProof);
	if (!required || !learned.strongestProof || !isStronger(learned.strongestProof, required)) return;
	hook.logger.warn(
		`Payment Page Trigger: 'Required Proof' is now "${requiredProof}", although earlier events had a stronger proof (${learned.strongestProof}).`,
	);
}

/** @throws NodeOperationError when no service but one on this machine could send events */
function checkAddress(hook: IHookFunctions, url: string, baseUrl: string): void {
	if (!isPrivateAddress(url)) return;
	const [address] = url.split('?');
	const message = `A service on the Internet cannot send events to ${address}, because it is not public. Set WEBHOOK_URL to the public URL of n8n.`;
	if (isOwnMachine(url) && !isPrivateAddress(baseUrl)) {
		throw new NodeOperationError(hook.getNode(), message);
	}
	hook.logger.warn(`Payment Page Trigger: ${message}`);
}

const noFallback = 'Payment Page Trigger: the fallback URL';

/** Ends a test or a publication. It never throws: n8n's own webhook would be left (fact 27). */
export async function unregister(hook: IHookFunctions): Promise<boolean> {
	try {
		// A test has registered nothing.
		if (!addressesOf(hook).isTest) await leave(hook, triggerOf(hook));
	} catch (error) {
		hook.logger.error(`${noFallback} could not be registered. ${describeError(error)}`);
	}
	return true;
}

function endRecord(trigger: Trigger): void {
	const { at, merchant, strongestProof } = recordOf(trigger);
	writeRecord(trigger, { at: timeAfter(at), merchant, ...(strongestProof && { strongestProof }) });
}

/** The service cannot unregister: the fallback URL takes over, or the address stays. */
async function leave(hook: IHookFunctions, trigger: Trigger): Promise<void> {
	const { fingerprint, merchant: key, at } = recordOf(trigger);
	if (fingerprint === undefined) return;
	endRecord(trigger);
	const merchant = merchants.merchantOf(key);
	if (merchant.wanted?.owner === trigger.identity) merchant.wanted = undefined;
	const other = merchants.otherReceiver(merchant, trigger.identity, at);
	const { fallbackUrl } = readSettings(hook);
	if (fallbackUrl === '') return;
	const { credential, fingerprint: current } = await readWish(hook);
	if (other !== undefined || current !== fingerprint) {
		const reason = other
			? `the service sends the events to ${other.address}`
			: 'the credential has changed since this workflow was published';
		hook.logger.warn(`${noFallback} was not registered, because ${reason}.`);
		return;
	}
	const now = timeAfter(recordOf(trigger).at);
	merchant.wanted = {
		...merchants.registrationOf(hook, credential, fallbackUrl, now),
		from: Date.now() + 5_000, // of a trigger that was only edited, n8n ends the old version first
	};
	void merchants.settle(merchant);
}
