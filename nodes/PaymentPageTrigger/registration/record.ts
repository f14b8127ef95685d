import { sleep } from 'n8n-workflow';

import { isRecord } from '../../shared/values';
import type { Trigger } from '../memory';
import { isProofKind, isStronger, type ProofKind } from '../verification/verify';

/**
 * What the static data keeps of a registration: nothing that is a secret. n8n copies it into the
 * record of each execution, and writes the static data of a workflow as a whole, and late: a write
 * may bring an old record back. So of two records the one that was made later counts.
 */
export interface RegistrationRecord {
	/** Milliseconds since 1970: when it was registered or ended. */
	at: number;
	/** Fingerprint of the merchant. */
	merchant: string;
	/** Of the registration; absent when it was ended. */
	fingerprint?: string;
	/** The strongest kind of proof that an event has shown. */
	strongestProof?: ProofKind;
	/** Milliseconds since 1970, by the clock of the published workflow. */
	testListensUntil?: number;
}

const key = 'registration';

const fields = ['at', 'merchant', 'fingerprint', 'strongestProof', 'testListensUntil'] as const;

function storedRecord({ staticData }: Trigger): RegistrationRecord {
	const stored = staticData[key];
	if (!isRecord(stored) || typeof stored.at !== 'number') return { at: 0, merchant: '' };
	const { at, merchant, fingerprint, strongestProof, testListensUntil } = stored;
	return {
		at,
		merchant: String(merchant),
		...(typeof fingerprint === 'string' ? { fingerprint } : {}),
		...(isProofKind(strongestProof) ? { strongestProof } : {}),
		...(typeof testListensUntil === 'number' ? { testListensUntil } : {}),
	};
}

/** The newest record that is known; of equally new ones, what either of them has learned. */
export function recordOf(trigger: Trigger): RegistrationRecord {
	const { memory } = trigger;
	const stored = storedRecord(trigger);
	if (stored.at > memory.record.at) memory.record = stored;
	else if (stored.at === memory.record.at) memory.record = learn(memory.record, stored);
	return memory.record;
}

/** A record that knows what another one has learned, too. */
function learn(record: RegistrationRecord, more: Partial<RegistrationRecord>): RegistrationRecord {
	const { strongestProof, testListensUntil = 0 } = more;
	const learned = { ...record };
	if (strongestProof !== undefined && isStronger(strongestProof, record.strongestProof)) {
		learned.strongestProof = strongestProof;
	}
	if (testListensUntil > (record.testListensUntil ?? 0)) {
		learned.testListensUntil = testListensUntil;
	}
	return learned;
}

/** Takes the place of all earlier records. */
export function writeRecord(trigger: Trigger, record: RegistrationRecord): void {
	trigger.memory.record = record;
	trigger.staticData[key] = { ...record };
}

/** A time for a new record: later than that of any known one, also if the clock was set back. */
export function timeAfter({ at }: RegistrationRecord): number {
	return Math.max(Date.now(), at + 1);
}

/**
 * Notes what a request has taught, and writes what this process knows and the static data does not.
 * While n8n prepares an execution, it forgets that static data has changed (n8n facts, "Triggers"),
 * so it is told once more just after, before it looks.
 */
export function updateRecord(trigger: Trigger, more: Partial<RegistrationRecord> = {}): void {
	const record = learn(recordOf(trigger), more);
	trigger.memory.record = record;
	const stored = storedRecord(trigger);
	if (fields.every((field) => stored[field] === record[field])) return;
	const write = () => writeRecord(trigger, recordOf(trigger));
	write();
	void sleep(0).then(write);
}
