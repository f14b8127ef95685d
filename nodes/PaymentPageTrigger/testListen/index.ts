import { randomUUID } from 'crypto';
import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { addressesOf, warnOfPrivateAddress } from '../registration/addresses';
import { readFallbackUrl } from '../registration/fallbackUrl';
import { merchantOf } from '../registration/merchants';
import type { TriggerCredential } from '../registration/triggerCredential';
import { borrowUrl, restoreUrl } from './borrowUrl';
import { formatListenRequest, listenHeader } from './listenRequest';
import { readListenState, writeListenState, type ListenState } from './listenState';
import { askSelf } from './selfCheck';

/**
 * A test ("Listen for test event") wants an event, but the service knows one address per merchant,
 * and that is the published workflow's. So the test asks the published workflow to share:
 *
 * ```
 *   test's create() ── empty POST, signed: "a test listens until T" ──> published webhook()
 *                   <── "shares" ────────────────────────────────────── notes T (shareEvents)
 *
 *   service ── event ──> published webhook() ── verifies, answers, starts its workflow
 *                              └── copy ──> test's webhook() ── shows it (receiveTestEvent)
 * ```
 *
 * Nothing is registered, so nothing has to be given back. One copy that arrives, n8n's 404 at the
 * test's address, or the time ends the sharing.
 *
 * Only when no workflow is published there does the test take over the merchant's address
 * (`borrowUrl`) and give it back to whoever had it (`restoreUrl`). When n8n cannot reach its own
 * public address, nobody can know which of the two it is; the test then takes the address over, and
 * an event that it cannot pass on to production is answered 503: the service sends it again.
 */

/** Milliseconds for which n8n lets a test listen, and some for clocks that differ. */
const listenTime = 125_000;

const refusals = {
	otherSecret:
		'The published workflow uses another webhook secret than this test, so it does not share its events. Select the credential of the published version, or publish this version first. Then test again.',
	silent:
		'The published workflow did not confirm that it shares its events. Check that nothing between n8n and its public URL removes the header "x-payment-pages-listen", and that all n8n processes have the same version of this package.',
	unreachable:
		'The published workflow cannot reach the test URL of n8n, so it does not share its events. Look at its executions instead, or unpublish it and test again.',
};

/**
 * @param url the test address, as it is registered if it has to be
 * @param hasToken whether registered addresses carry the token
 * @throws when the test would never see an event
 */
export async function startTestListen(
	hook: IHookFunctions,
	credential: TriggerCredential,
	url: string,
	hasToken: boolean,
): Promise<void> {
	const { production, test } = addressesOf(hook);
	const fallbackUrl = readFallbackUrl(hook);
	const request = formatListenRequest(credential.keys, Date.now() + listenTime);
	const answer = await askSelf(hook, production, { [listenHeader]: request });
	const id = randomUUID();
	const staticData = hook.getWorkflowStaticData('node');
	if (answer.kind === 'trigger') {
		if (answer.body.listen !== 'shares') {
			const reason = answer.body.listen;
			const isKnown = reason === 'otherSecret' || reason === 'unreachable';
			throw new NodeOperationError(hook.getNode(), refusals[isKnown ? reason : 'silent']);
		}
		writeListenState(staticData, { id });
		return;
	}
	warnOfPrivateAddress(hook, test);
	const isUnknown = answer.kind === 'unknown';
	if (isUnknown) {
		hook.logger.warn(
			`Payment Page Trigger: n8n cannot reach its own public URL ${production} (${answer.reason}), so the test cannot ask whether the workflow is published. It temporarily takes over the merchant's webhook URL. An event that cannot be passed on to the published workflow gets a 503 response, so that the service sends it again after the test.`,
		);
	} else if (merchantOf(credential).holder === undefined) {
		hook.logger.warn(
			"Payment Page Trigger: the test temporarily takes over the merchant's webhook URL, and n8n does not know which workflow had it. If there was one, unpublish and publish it after the test.",
		);
	}
	const state: ListenState = {
		id,
		borrowedFrom: isUnknown ? 'unknown' : 'unpublished',
		// Most likely it is published: then this is where it waits.
		heirUrl: isUnknown ? production : fallbackUrl,
		hasToken: isUnknown && hasToken,
	};
	writeListenState(staticData, state);
	await borrowUrl(hook, credential, url, state);
}

/** Not awaited: if another test begins while this hook is at work, n8n runs out of memory (n8n facts). */
export function endTestListen(hook: IHookFunctions): void {
	const state = readListenState(hook.getWorkflowStaticData('node'));
	if (state?.borrowedFrom !== undefined) void restoreUrl(hook, state);
}
