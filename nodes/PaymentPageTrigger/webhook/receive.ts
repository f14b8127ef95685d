import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { addressesOf, withoutTokens } from '../addresses';
import { currentCredential, fingerprintOf, type TriggerKeys } from '../keys';
import { warnOfEvent } from '../log';
import { triggerOf, type Trigger } from '../memory';
import { readRequest, received, sendReply, type ReceivedRequest, type Reply } from '../n8n';
import { merchantOf, noteReceiver } from '../registration/merchant';
import { recordOf, updateRecord } from '../registration/record';
import { describeError, registerUrl } from '../registration/registerUrl';
import { readSettings, urlToRegister, type Settings } from '../settings';
import { receiveInTest } from '../testListen/listen';
import { answerQuestion, shareWithTest, testHeader } from '../testListen/share';
import { verify, type Rejection, type Verdict } from '../verification/verify';
import { toOutput } from './output';

/** Services and people look whether something answers at an address before they use it. */
function isProbe({ method, rawBody, query, tokens }: ReceivedRequest): boolean {
	const isEmpty = rawBody?.length === 0 && Object.keys(withoutTokens(query, tokens)).length === 0;
	return method === 'HEAD' || isEmpty;
}

/** n8n itself failed: the service shall send the event again. */
const sendAgain: Reply = {
	status: 503,
	body: { message: 'The event cannot be processed at the moment. Send it again later.' },
};

const reasons: Record<Rejection, string> = {
	noProof: 'It has no valid proof.',
	tooOld:
		"Its signature is right, but its time is too far from n8n's clock. Check the clock, and 'Tolerance (Seconds)' in the options.",
	weaker:
		"Its proof is weaker than that of earlier events. If the service has stopped signing, unpublish and publish the workflow, or set 'Required Proof' in the options.",
};

function rejectionOf(
	{ tokens }: ReceivedRequest,
	keys: readonly TriggerKeys[],
	rejection: Rejection,
): Reply {
	// Verified as a token alone is, so that only the service learns why.
	const event = { headers: {}, tokens, rawBody: undefined };
	const demand = { requiredProof: 'url token', toleranceSeconds: 0, strongest: undefined };
	const isFromService = verify(event, keys, demand, 0).proof !== undefined;
	const message = 'The event could not be verified.';
	return {
		status: 401,
		body: { message: isFromService ? `${message} ${reasons[rejection]}` : message },
	};
}

interface Finding {
	verdict: Verdict;
	/** All keys that are known; none of them may be shown. */
	keys: TriggerKeys[];
	/** Whether the credential is the one that was registered, as far as this event had to know. */
	isRegistered: boolean;
}

/**
 * Looks for a proof. The registered keys are at hand; the credential, which may have changed since, is
 * read only when those prove nothing.
 *
 * @throws when n8n cannot read the credential
 */
async function prove(
	node: IWebhookFunctions,
	trigger: Trigger,
	event: ReceivedRequest,
	settings: Settings,
	now: number,
): Promise<Finding> {
	const { memory } = trigger;
	const check = (keys: TriggerKeys[]) => {
		const { strongestProof: strongest } = recordOf(trigger);
		return verify(event, keys, { ...settings, strongest }, now);
	};
	const isCurrent = memory.registered?.fingerprint === recordOf(trigger).fingerprint;
	const known = isCurrent && memory.registered ? [memory.registered.keys] : [];
	const usual = check(known);
	if (usual.proof !== undefined) return { verdict: usual, keys: known, isRegistered: true };
	const credential = await currentCredential(node, trigger);
	const url = urlToRegister(addressesOf(node).production, settings, credential.keys);
	const record = recordOf(trigger);
	const fingerprint = fingerprintOf(credential, url);
	const isRegistered = record.fingerprint === fingerprint;
	const keys = [credential.keys, ...known];
	const verdict = check(keys);
	if (isRegistered && verdict.proof !== undefined) {
		memory.registered = { fingerprint, keys: credential.keys };
		noteReceiver(merchantOf(credential.merchant), {
			owner: trigger.identity,
			address: addressesOf(node).production,
			at: record.at,
			register: async () => await registerUrl(node, credential, url),
			logger: node.logger,
		});
	}
	return { verdict, keys, isRegistered };
}

async function receiveEvent(
	node: IWebhookFunctions,
	trigger: Trigger,
	event: ReceivedRequest,
): Promise<Reply> {
	const now = Date.now();
	let settings: Settings;
	let finding: Finding;
	try {
		settings = readSettings(node);
		finding = await prove(node, trigger, event, settings, now);
	} catch (error) {
		warnOfEvent(
			node,
			trigger,
			'unreadable',
			`n8n could not read the settings or the credential, so events get a 503 response. ${describeError(error)}`,
		);
		return sendAgain;
	}
	const { verdict, keys, isRegistered } = finding;
	const { proof, rejection } = verdict;
	if (proof === undefined && !isRegistered) {
		warnOfEvent(
			node,
			trigger,
			'unregistered',
			'the credential is not the one that was registered, so an event without a valid proof got a 503 response. Unpublish and publish the workflow.',
		);
		return sendAgain;
	}
	if (rejection !== undefined) {
		const what = settings.acceptUnverified ? 'accepted an unverified event' : 'rejected an event';
		warnOfEvent(node, trigger, rejection, `${what}. ${reasons[rejection]}`);
		if (!settings.acceptUnverified) return rejectionOf(event, keys, rejection);
	}
	updateRecord(trigger, proof === undefined ? {} : { strongestProof: proof.kind });
	const output = toOutput(event, keys, proof, now);
	shareWithTest(node, trigger, output);
	return { status: 200, body: received, output };
}

async function replyTo(node: IWebhookFunctions, request: ReceivedRequest): Promise<Reply> {
	const trigger = triggerOf(node);
	if (node.getMode() === 'manual') return await receiveInTest(node, trigger, request);
	if (request.headers[testHeader] !== undefined) {
		return await answerQuestion(node, trigger, request);
	}
	if (isProbe(request)) return { status: 200, body: { ready: true } };
	if (!request.isReadable) {
		return { status: 400, body: { message: 'The body of the request could not be read.' } };
	}
	return await receiveEvent(node, trigger, request);
}

/**
 * Receives a request at the address of the trigger. An event of somebody who knows the secret starts
 * the workflow; a probe is answered and starts nothing; anything else is answered 401.
 */
export async function receive(node: IWebhookFunctions): Promise<IWebhookResponseData> {
	return sendReply(node, await replyTo(node, await readRequest(node)));
}
