import type { IHookFunctions } from 'n8n-workflow';

import type { Envelope } from '../../shared/service';
import { ServiceError, orThrow } from '../../shared/serviceError';
import type { Outcome } from '../../shared/serviceError';
import { readVerificationSettings } from '../verification/settings';
import { addressesOf, isPrivateAddress, withListenMark, withToken } from './addresses';
import { readTriggerCredential } from './credential';
import { readFallbackUrl } from './fallbackUrl';
import { hookError, wordsOf } from './hookError';
import { sharesWithTest } from './probe';
import { registerUrl, registrationOf } from './register';
import { clearRecord, isRecorded, recordedUrl, writeRecord } from './record';
import { earlierTestListenEnded, endTestListen, noteTestListen } from './testListen';

function mayBeRegistered(outcome: Outcome<Envelope>): boolean {
	if (!(outcome instanceof ServiceError)) return true;
	return outcome.details.kind === 'answerLost' || outcome.details.kind === 'unreadable';
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
		const { current } = addressesOf(hook);
		const registration = registrationOf(current, await readTriggerCredential(hook));
		return isRecorded(hook.getWorkflowStaticData('node'), registration);
	} catch (error) {
		throw hookError(hook.getNode(), error);
	}
}

/** Registers the address where n8n waits for events; what n8n shows of a failure is its message. */
export async function register(hook: IHookFunctions): Promise<boolean> {
	try {
		// An incomplete setting would reject every event; better to say so now.
		readVerificationSettings((name) => hook.getNodeParameter(name, ''));
		readFallbackUrl(hook);
		const { current, production, isTest } = addressesOf(hook);
		const credential = await readTriggerCredential(hook);
		const secret = credential.webhookSecret;
		if (isTest) await earlierTestListenEnded(hook);
		// A published workflow keeps its address during a test, so it loses nothing, however that ends.
		const isShared = isTest && (await sharesWithTest(hook, production, secret));
		const address = isShared ? production : current;
		if (isPrivateAddress(address)) {
			hook.logger.warn(
				`Payment Page Trigger: ${address} is an address that only this machine or network can reach. A service on the Internet cannot send events to it; set WEBHOOK_URL of n8n to its public address.`,
			);
		}
		const url = isShared ? withListenMark(address, secret) : withToken(address, secret);
		const outcome = await registerUrl(hook, credential, url);
		// A test address that may be registered has to be given back, too.
		if (isTest ? mayBeRegistered(outcome) : !(outcome instanceof ServiceError)) {
			const registration = registrationOf(current, credential);
			writeRecord(hook.getWorkflowStaticData('node'), registration);
			noteTestListen(hook, isTest);
		}
		orThrow(outcome);
		return true;
	} catch (error) {
		throw hookError(hook.getNode(), error);
	}
}

/**
 * Ends a test listen or a production registration. The service cannot unregister, so another
 * address takes the place, if there is one. It never throws: that would leave n8n's own webhook
 * behind.
 */
export async function unregister(hook: IHookFunctions): Promise<boolean> {
	try {
		const staticData = hook.getWorkflowStaticData('node');
		if (recordedUrl(staticData) === undefined) return true;
		const { isTest, production } = addressesOf(hook);
		if (isTest) {
			// Not awaited: if another test listen begins while this hook is at work, n8n copies itself
			// into its cache until it has no memory left (n8n facts, "Triggers").
			void endTestListen(hook, production);
		} else {
			// Before anything can fail: with a record, the next activation would register nothing.
			clearRecord(staticData);
			await leave(hook);
		}
	} catch (error) {
		hook.logger.error(
			`Payment Page Trigger: the registration could not be ended. ${wordsOf(error)}`,
		);
	}
	return true;
}

/** A production registration ends: the fallback address takes its place, or the address stays. */
async function leave(hook: IHookFunctions): Promise<void> {
	const fallbackUrl = readFallbackUrl(hook);
	if (fallbackUrl === '') {
		hook.logger.info(
			'Payment Page Trigger: the service cannot unregister a webhook, so it keeps sending events to the address of this workflow until another one is registered.',
		);
		return;
	}
	// It could still register the address that is left here.
	await earlierTestListenEnded(hook);
	const outcome = await registerUrl(hook, await readTriggerCredential(hook), fallbackUrl);
	if (outcome instanceof ServiceError) {
		hook.logger.error(
			`Payment Page Trigger: the fallback URL could not be registered, so the service keeps sending events to the address of this workflow. ${wordsOf(outcome)}`,
		);
	}
}
