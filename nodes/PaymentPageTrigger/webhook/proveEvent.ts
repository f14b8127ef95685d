import { noteHolder, noteProof, strongestProof } from '../registration/record';
import type { WebhookKeys } from '../secrets';
import type { TriggerNode } from '../triggerNode';
import { isStronger, type Proof } from '../verification/proof';
import type { VerificationSettings } from '../verification/settings';
import { verify, type ReceivedEvent } from '../verification/verify';
import type { Keyring } from './keyring';

interface Finding {
	/** All keys that were looked for; none of them may be shown. */
	keys: WebhookKeys[];
	proof: Proof | undefined;
	/** Whether there is a proof that does not count, because earlier events had a stronger one. */
	isWeaker: boolean;
}

/** The registered keys are at hand; the credential's are read only when those prove nothing. */
async function verifyWithAllKeys(
	{ registered, readCredential }: Keyring,
	event: ReceivedEvent,
	settings: VerificationSettings,
	now: number,
): Promise<Omit<Finding, 'isWeaker'>> {
	const proof = verify(event, registered, settings, now);
	if (proof !== undefined) return { keys: registered, proof };
	const others = await readCredential();
	return { keys: [...registered, ...others], proof: verify(event, others, settings, now) };
}

/**
 * Looks for a proof that an event comes from the service. With automatic verification the proof only
 * grows: what once was signed has to be signed from then on.
 *
 * @param settings undefined verifies nothing
 * @param now milliseconds of the clock
 */
export async function proveEvent(
	{ identity, staticData }: TriggerNode,
	keyring: Keyring,
	event: ReceivedEvent,
	settings: VerificationSettings | undefined,
	now: number,
): Promise<Finding> {
	if (settings === undefined) return { keys: [], proof: undefined, isWeaker: false };
	const { keys, proof } = await verifyWithAllKeys(keyring, event, settings, now);
	const [usual] = keys;
	if (proof === undefined || usual === undefined) return { keys, proof, isWeaker: false };
	noteHolder(staticData, identity, usual);
	if (settings.mode === 'signature') return { keys, proof, isWeaker: false };
	const strongest = strongestProof(staticData);
	if (strongest !== undefined && isStronger(strongest, proof.kind)) {
		return { keys, proof: undefined, isWeaker: true };
	}
	noteProof(staticData, proof.kind);
	return { keys, proof, isWeaker: false };
}
