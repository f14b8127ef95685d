import { sleep, type IDataObject } from 'n8n-workflow';

import type { RegistrationRecord, Trigger } from '../memory';
import { isStronger } from '../verification/verify';

const key = 'registration';

function storedRecord({ staticData }: Trigger): RegistrationRecord {
	const stored = staticData[key] as IDataObject | undefined;
	if (typeof stored?.at !== 'number') return { at: 0, merchant: '' };
	return stored as unknown as RegistrationRecord;
}

/** A record that knows what another one has learned, too. */
function learn(
	record: RegistrationRecord,
	{ strongestProof, testListensUntil = 0 }: Partial<RegistrationRecord>,
): RegistrationRecord {
	const learned = { ...record };
	const isStrongest = strongestProof && isStronger(strongestProof, record.strongestProof);
	if (isStrongest) learned.strongestProof = strongestProof;
	if (testListensUntil > (record.testListensUntil ?? 0))
		learned.testListensUntil = testListensUntil;
	return learned;
}

/** The newest record that is known; of equally new ones, what either of them has learned. */
export function recordOf(trigger: Trigger): RegistrationRecord {
	const { record } = trigger.memory;
	const stored = storedRecord(trigger);
	if (stored.at > record.at) trigger.memory.record = { ...stored };
	else if (stored.at === record.at) trigger.memory.record = learn(record, stored);
	return trigger.memory.record;
}

export function writeRecord(trigger: Trigger, record: RegistrationRecord): void {
	trigger.memory.record = record;
	trigger.staticData[key] = { ...record };
}

/** A time for a new record: later than that of any known one, also if the clock was set back. */
export const timeAfter = (at: number) => Math.max(Date.now(), at + 1);

/**
 * Notes what a request has taught, and writes what the static data does not have. n8n forgets the
 * change while it prepares an execution, so it is written once more just after (fact 40).
 */
export function updateRecord(trigger: Trigger, more: Partial<RegistrationRecord> = {}): void {
	const record = learn(recordOf(trigger), more);
	trigger.memory.record = record;
	const stored = Object.entries(storedRecord(trigger));
	if (JSON.stringify(stored.sort()) === JSON.stringify(Object.entries(record).sort())) return;
	const write = () => writeRecord(trigger, recordOf(trigger));
	write();
	void sleep(0).then(write);
}
