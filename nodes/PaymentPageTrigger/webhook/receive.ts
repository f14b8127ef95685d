import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { addressesOf, withoutTokens } from '../addresses';
import { currentCredential, toRegister } from '../keys';
import { triggerOf, type Trigger, type TriggerKeys } from '../memory';
import { readRequest, received, sendReply, type ReceivedRequest, type Reply } from '../n8n';
import { merchantOf, noteReceiver, registrationOf } from '../registration/merchant';
import { recordOf, updateRecord } from '../registration/record';
import { describeError } from '../registration/registerUrl';
import { readSettings } from '../settings';
import { replyToTest, shareWithTest, testHeader } from '../testListen';
import { equals } from '../verification/signature';
import { verify, type Rejection } from '../verification/verify';
import { toOutput } from './output';

/** Services and people look whether something answers at an address before they use it. */
function isProbe({ method, rawBody, query, tokens }: ReceivedRequest): boolean {
	const isEmpty = rawBody?.length === 0 && Object.keys(withoutTokens(query, tokens)).length === 0;
	return method === 'HEAD' || isEmpty;
}

const replyWith = (status: number, message: string): Reply => ({ status, body: { message } });

/** n8n itself failed: the service shall send the event again. */
const sendAgain = replyWith(503, 'The event cannot be processed now. Send it again later.');

const reasons: Record<Rejection, string> = {
	noProof: 'It has no valid proof.',
	tooOld:
		"Its signature is right, but its time is too far from n8n's clock. Check the clock, and 'Tolerance (Seconds)' in the options.",
	weaker:
		"Its proof is weaker than that of earlier events. If the service has stopped signing, unpublish and publish the workflow, or set 'Required Proof' in the options.",
};

/** Only a sender with the right token, such as the service, learns why. */
function rejectionOf({ tokens }: ReceivedRequest, keys: TriggerKeys[], reason: Rejection): Reply {
	const isKnown = keys.some(({ token }) => tokens.some((given) => equals(given, token)));
	const message = 'The event could not be verified.';
	return replyWith(401, isKnown ? `${message} ${reasons[reason]}` : message);
}

/**
 * Looks for a proof. The credential, which may have changed since it was registered, is read only when
 * the registered keys prove nothing, and tried only if it has; it throws when n8n cannot read it or the
 * settings.
 */
async function prove(
	node: IWebhookFunctions,
	trigger: Trigger,
	event: ReceivedRequest,
	now: number,
) {
	const settings = readSettings(node);
	const { acceptUnverified } = settings;
	const { registered } = trigger.memory;
	const record = recordOf(trigger);
	const check = (keys: TriggerKeys[]) =>
		verify(event, keys, { ...settings, strongest: record.strongestProof }, now);
	const isCurrent = registered?.fingerprint === record.fingerprint;
	const known = registered && isCurrent ? [registered.keys] : [];
	const usual = check(known);
	if (usual.proof) return { verdict: usual, keys: known, isRegistered: true, acceptUnverified };
	const { production } = addressesOf(node);
	const credential = await currentCredential(node, trigger);
	const { url, fingerprint } = toRegister(credential, production, settings);
	const isRegistered = record.fingerprint === fingerprint;
	const isSame = isRegistered && registered?.fingerprint === fingerprint;
	const verdict = isSame ? usual : check([credential.keys]);
	if (isRegistered && verdict.proof) {
		trigger.memory.registered = { fingerprint, keys: credential.keys };
		const registration = registrationOf(node, credential, url, record.at, trigger);
		noteReceiver(merchantOf(credential.merchant), registration);
	}
	return { verdict, keys: [credential.keys, ...known], isRegistered, acceptUnverified };
}

async function receiveEvent(
	node: IWebhookFunctions,
	trigger: Trigger,
	event: ReceivedRequest,
): Promise<Reply> {
	const now = Date.now();
	let finding: Awaited<ReturnType<typeof prove>>;
	try {
		finding = await prove(node, trigger, event, now);
	} catch (error) {
		const what = 'n8n could not read the settings or the credential, so events get a 503 response.';
		trigger.warn('unreadable', `${what} ${describeError(error)}`);
		return sendAgain;
	}
	const { verdict, keys, isRegistered, acceptUnverified } = finding;
	const { proof, rejection } = verdict;
	// Not even unverified: what must be hidden is not known then.
	if (rejection !== undefined && !isRegistered) {
		const text =
			'the credential is not the one that was registered, so an event without a valid proof got a 503 response. Unpublish and publish the workflow.';
		trigger.warn('unregistered', text);
		return sendAgain;
	}
	if (rejection !== undefined) {
		const what = acceptUnverified ? 'accepted an unverified event' : 'rejected an event';
		trigger.warn(rejection, `${what}. ${reasons[rejection]}`);
		if (!acceptUnverified) return rejectionOf(event, keys, rejection);
	}
	updateRecord(trigger, proof === undefined ? {} : { strongestProof: proof.kind });
	const output = toOutput(event, keys, proof, now);
	shareWithTest(node, trigger, output);
	return { status: 200, body: received, output };
}

async function replyTo(
	node: IWebhookFunctions,
	trigger: Trigger,
	request: ReceivedRequest,
): Promise<Reply> {
	const isOfTest = node.getMode() === 'manual' || testHeader in request.headers;
	if (isOfTest) return await replyToTest(node, trigger, request);
	if (isProbe(request)) return { status: 200, body: { ready: true } };
	if (!request.isReadable) return replyWith(400, 'The body of the request could not be read.');
	return await receiveEvent(node, trigger, request);
}

export async function receive(node: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = await readRequest(node);
	const trigger = triggerOf(node);
	const reply = await replyTo(node, trigger, request);
	return sendReply(node, reply);
}
